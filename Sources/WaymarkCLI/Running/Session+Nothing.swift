// SPDX-License-Identifier: Apache-2.0

import Settings
import WaymarkClient
import WaymarkProtocol

extension Session {
    /// Explains an empty result if the reason is that no landmark has the requested kind; nil if the reason is another.
    func nothing(of filter: LandmarkFilter) async -> String? {
        guard output.format == .text, filter.kinds.count == 1, let kind = filter.kinds.first,
            let first = try? await client.list(.byRecent, limit: 1, filter: LandmarkFilter(kinds: [kind])),
            first.hits.isEmpty
        else { return nil }
        // No request lists all kinds, so the suggestion is one of the kinds of recently changed landmarks.
        let others = try? await client.list(.byRecent, limit: WaymarkProtocol.pageRows)
        let kinds = Set((others?.hits.map(\.landmark.kind) ?? []).filter { !$0.isEmpty })
        let nearest = EditDistance.nearest(to: kind, in: kinds).map { ": did you mean \($0)?" } ?? "."
        return "No landmark has the kind \(kind)\(nearest)"
    }
}
