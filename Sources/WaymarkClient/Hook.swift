// SPDX-License-Identifier: Apache-2.0

package import WaymarkProtocol

/// A reader of the changes with a durable position. The services send each change that matches its filter to its URL, at
/// least once and in order. Times are Unix milliseconds, and 0 means never.
public struct Hook: Sendable, Hashable {
    public enum State: String, Sendable, Hashable {
        case active
        /// A person paused the hook, or the database was restored or copied.
        case paused
        /// The services gave up; ``Hook/reason`` says why.
        case stopped
    }

    private let wire: WireHook
    public let filter: FeedFilter
    public let state: State

    public var id: UInt64 { wire.id }
    public var name: String { wire.name }
    /// The number of the account that owns the hook; 0 if nobody does.
    public var account: UInt64 { wire.account }
    /// The user or account that made the hook, by the name of that time.
    public var user: String { wire.user }
    public var url: String { wire.url }
    /// The secret that signs messages: `whsec_` and base64. Only the answers that make a secret have it.
    public var secret: String? { wire.secret.isEmpty ? nil : HookSecret.text(wire.secret) }
    /// The time until which messages are also signed with the secret before.
    public var formerUntil: UInt64 { wire.formerUntil }
    /// The name of the fence that the filter was taken from; empty if there was none.
    public var fence: String { wire.fence }
    /// The maximum number of changes in a message.
    public var batch: Int { Int(wire.batch) }
    /// The reason why the hook is paused or stopped; empty if it is active.
    public var reason: String { wire.reason }
    /// The position up to which every change was delivered or given up, or did not match.
    public var position: Position? { Position(wire.position) }
    public var created: UInt64 { wire.created }
    /// The number of delivered changes.
    public var delivered: UInt64 { wire.delivered }
    /// The number of failed tries.
    public var failures: UInt64 { wire.failures }
    public var lastSuccess: UInt64 { wire.lastSuccess }
    public var lastTry: UInt64 { wire.lastTry }
    /// The reason why the last try failed; empty if it did not.
    public var error: String { wire.error }
    /// The time of the first of the failures in a row; 0 if the last try did not fail.
    public var failingSince: UInt64 { wire.failingSince }
    /// The number of messages that were given up and are kept, and their size in bytes.
    public var failed: UInt64 { UInt64(wire.failed) }
    public var failedBytes: UInt64 { wire.failedBytes }

    package init(_ wire: WireHook) throws(InvalidInput) {
        let states: [WireHookState: State] = [.active: .active, .paused: .paused, .stopped: .stopped]
        guard let state = states[wire.state] else { throw .missing("a state that is known here") }
        (self.wire, self.state, filter) = (wire, state, try FeedFilter(encoded: wire.filter))
    }
}

/// A message that was given up, or that is to be sent outside the order.
public struct HookFailure: Sendable, Hashable {
    private let wire: WireHookFailure

    /// The number of the message in the list, which no other message ever has.
    public var number: UInt64 { wire.number }
    /// The last revision in the message; 0 for a test.
    public var rev: UInt64 { wire.rev }
    /// The time in Unix milliseconds.
    public var at: UInt64 { wire.at }
    /// The reason of the last failure; empty if the message was not sent yet.
    public var reason: String { wire.reason }
    /// Whether the message is to be sent again.
    public var isDue: Bool { wire.due }
    /// The message's `webhook-id`.
    public var message: String { wire.message }
    /// Whether the body is an array of changes.
    public var isBatch: Bool { wire.batch }
    /// The body as it was sent; empty if it was not made yet.
    public var body: [UInt8] { [UInt8](wire.body) }

    package init(_ wire: WireHookFailure) { self.wire = wire }
}
