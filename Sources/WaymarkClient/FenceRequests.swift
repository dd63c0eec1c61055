// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// The requests of a client about fences.
///
/// A caller that follows a fence reads its filter once, and then holds the filter. Later changes of the name do not
/// concern it.
public struct FenceRequests: Sendable {
    let client: WaymarkClient

    /// Returns a page of all fences, in the order of their names.
    ///
    /// - Parameters:
    ///   - name: returns only fences after this name; empty to begin with the first.
    ///   - limit: the maximum number of fences, 1 to 1,000.
    public func page(
        after name: String = "", limit: Int = 1_000
    ) async throws(ClientError) -> (fences: [Fence], hasMore: Bool) {
        try await fences(.with { ($0.fences.after, $0.fences.limit) = (name, UInt32(clamping: limit)) })
    }

    /// - Throws: ``ClientError/refused(_:)`` with the code `not_found` if there is no fence of this name.
    public func find(_ name: String) async throws(ClientError) -> Fence {
        let found = try await fences(.with { $0.fences.name = name }).fences
        if !name.isEmpty, let fence = found.first { return fence }
        throw .refused(ServiceError(.notFound, "There is no fence \"\(name)\"."))
    }

    /// Keeps a filter under a name, which may be that of another fence of the same owner: this one replaces it.
    ///
    /// - Parameters:
    ///   - filter: at least one condition, without ids and operations.
    ///   - isPrivate: whether links show no position of the owner's landmarks within it.
    public func add(
        _ name: String, _ filter: FeedFilter, isPrivate: Bool = false
    ) async throws(ClientError) -> Fence {
        let add = WireAddFence.with { ($0.name, $0.filter, $0.isPrivate) = (name, filter.kept, isPrivate) }
        let added = try await fences(.with { $0.addFence = add }).fences
        guard let fence = added.first else { throw .unreadableAnswer("fence") }
        return fence
    }

    /// Removes a fence. Whoever follows it goes on with its filter.
    public func remove(_ name: String) async throws(ClientError) {
        try await client.done(.with { $0.removeFence.name = name })
    }

    private func fences(_ request: WireRequest) async throws(ClientError) -> (fences: [Fence], hasMore: Bool) {
        try await client.ask(request, \.fences, "fences") { (page) throws(InvalidInput) in
            (try page.fences.map { (fence) throws(InvalidInput) in try Fence(fence) }, page.more)
        }
    }
}
