// SPDX-License-Identifier: Apache-2.0

package import WaymarkProtocol

/// The requests of a client about hooks.
public struct HookRequests: Sendable {
    let client: WaymarkClient

    /// Returns a page of the caller's hooks, in the order in which they were made; an administrator gets everybody's.
    ///
    /// - Parameters:
    ///   - id: returns only hooks after this one; 0 to begin with the first.
    ///   - limit: the maximum number of hooks, 1 to 1,000.
    /// - Returns: also the newest revision, from which a hook's position tells how far it is behind.
    public func page(
        after id: UInt64 = 0, limit: Int = 1_000
    ) async throws(ClientError) -> (hooks: [Hook], hasMore: Bool, head: UInt64) {
        try await hooks(.with { ($0.hooks.after, $0.hooks.limit) = (id, UInt32(clamping: limit)) })
    }

    /// - Throws: ``ClientError/refused(_:)`` with the code `not_found` if there is no hook of this name.
    public func find(_ name: String) async throws(ClientError) -> (hook: Hook, head: UInt64) {
        let page = try await hooks(.with { $0.hooks.name = name })
        if !name.isEmpty, let hook = page.hooks.first { return (hook, page.head) }
        throw .refused(ServiceError(.notFound, "There is no hook \"\(name)\"."))
    }

    /// Adds a hook. Only this answer has its secret, and the one to ``HookChange/rotate``.
    public func add(_ hook: NewHook) async throws(ClientError) -> Hook {
        let wire = try hook.wire()
        guard let added = try await hooks(.with { $0.addHook = wire }).hooks.first else {
            throw .unreadableAnswer("hook")
        }
        return added
    }

    /// Changes a hook.
    ///
    /// - Parameter name: the hook's name. With ``HookChange/pause`` and the cases that resume it may be nil, for all of
    ///   the caller's hooks; for an administrator, everybody's.
    /// - Returns: the hooks that were changed, of very many only the first.
    @discardableResult
    public func change(_ name: String?, _ change: HookChange) async throws(ClientError) -> [Hook] {
        let wire = try change.wire(name)
        return try await hooks(.with { $0.changeHook = wire }).hooks
    }

    /// Returns a page of the messages of a hook that were given up, or that are to be sent outside the order, oldest
    /// first. The page may be shorter than `limit` although there are more.
    ///
    /// - Parameter number: returns only messages after this number.
    public func failures(
        of name: String, after number: UInt64 = 0, limit: Int = 1_000
    ) async throws(ClientError) -> (failures: [HookFailure], hasMore: Bool) {
        let list = WireListHookFailures.with {
            ($0.name, $0.after, $0.limit) = (name, number, UInt32(clamping: limit))
        }
        return try await client.ask(.with { $0.hookFailures = list }, \.hookFailures) {
            ($0.failures.map(HookFailure.init), $0.more)
        }
    }

    /// Sends the turn of a service that delivers hooks: its heartbeat, its claims, positions, and what it gave up.
    package func turn(_ turn: WireHookTurn, timeout: Duration? = nil) async throws(ClientError) -> WireHookTurns {
        try await client.answer(to: .with { $0.hookTurn = turn }, \WireReply.hookTurns, "hook turn", timeout: timeout)
            .part
    }

    private func hooks(
        _ request: WireRequest
    ) async throws(ClientError) -> (hooks: [Hook], hasMore: Bool, head: UInt64) {
        try await client.ask(request, \.hooks, "hooks") { (page) throws(InvalidInput) in
            (try page.hooks.map { (hook) throws(InvalidInput) in try Hook(hook) }, page.more, page.head)
        }
    }
}
