// SPDX-License-Identifier: Apache-2.0

internal import WaymarkProtocol

/// The numbers of landmarks of some kinds.
public struct KindCounts: Sendable {
    private let counts: [String: UInt64]

    /// Asks a query service. One that holds a region refuses.
    ///
    /// - Parameter kinds: at most 1,000 kinds, spelled as landmarks have them. An empty one stands for no kind.
    public init(of kinds: [String], asking client: WaymarkClient) async throws(ClientError) {
        let question = WireCountKinds.with { $0.kinds = kinds }
        let counts = try await client.ask(.with { $0.countKinds = question }, \.kindCounts) {
            $0.counts.count == kinds.count ? $0.counts : nil
        }
        self.counts = Dictionary(zip(kinds, counts)) { first, _ in first }
    }

    /// The number of landmarks of a kind; nil if it was not asked for.
    public subscript(kind: String) -> UInt64? { counts[kind] }
}
