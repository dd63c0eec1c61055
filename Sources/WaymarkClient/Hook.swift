// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
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

    public let id: UInt64
    public let name: String
    /// The number of the account that owns the hook; 0 if nobody does.
    public let account: UInt64
    /// The user or account that made the hook, by the name of that time.
    public let user: String
    public let url: String
    /// The secret that signs messages: `whsec_` and base64. Only the answers that make a secret have it.
    public let secret: String?
    /// The time until which messages are also signed with the secret before.
    public let formerUntil: UInt64
    /// The name of the fence that the filter was taken from; empty if there was none.
    public let fence: String
    public let filter: FeedFilter
    /// The maximum number of changes in a message.
    public let batch: Int
    public let state: State
    /// The reason why the hook is paused or stopped; empty if it is active.
    public let reason: String
    /// The position up to which every change was delivered or given up, or did not match.
    public let position: Position?
    public let created: UInt64
    /// The number of delivered changes.
    public let delivered: UInt64
    /// The number of failed tries.
    public let failures: UInt64
    public let lastSuccess: UInt64
    public let lastTry: UInt64
    /// The reason why the last try failed; empty if it did not.
    public let error: String
    /// The time of the first of the failures in a row; 0 if the last try did not fail.
    public let failingSince: UInt64
    /// The number of messages that were given up and are kept, and their size in bytes.
    public let failed: UInt64
    public let failedBytes: UInt64

    package init(_ wire: WireHook) throws(InvalidInput) {
        switch wire.state {
        case .active: state = .active
        case .paused: state = .paused
        case .stopped: state = .stopped
        case .unspecified, .UNRECOGNIZED: throw .missing("a state that is known here")
        }
        (id, name, account, user, url) = (wire.id, wire.name, wire.account, wire.user, wire.url)
        secret = wire.secret.isEmpty ? nil : HookSecret.text(wire.secret)
        (formerUntil, fence, batch) = (wire.formerUntil, wire.fence, Int(wire.batch))
        filter = try FeedFilter(encoded: wire.filter)
        (reason, created) = (wire.reason, wire.created)
        position = UUIDv7(bytes: wire.position.epoch).map {
            Position(epoch: $0, rev: wire.position.rev, run: UUIDv7(bytes: wire.position.run))
        }
        (delivered, failures, error) = (wire.delivered, wire.failures, wire.error)
        (lastSuccess, lastTry, failingSince) = (wire.lastSuccess, wire.lastTry, wire.failingSince)
        (failed, failedBytes) = (UInt64(wire.failed), wire.failedBytes)
    }
}

/// A message that was given up, or that is to be sent outside the order.
public struct HookFailure: Sendable, Hashable {
    /// The number of the message in the list, which no other message ever has.
    public let number: UInt64
    /// The last revision in the message; 0 for a test.
    public let rev: UInt64
    /// The time in Unix milliseconds.
    public let at: UInt64
    /// The reason of the last failure; empty if the message was not sent yet.
    public let reason: String
    /// Whether the message is to be sent again.
    public let isDue: Bool
    /// The message's `webhook-id`.
    public let message: String
    /// Whether the body is an array of changes.
    public let isBatch: Bool
    /// The body as it was sent; empty if it was not made yet.
    public let body: [UInt8]

    package init(_ wire: WireHookFailure) {
        (number, rev, at, reason, isDue) = (wire.number, wire.rev, wire.at, wire.reason, wire.due)
        (message, isBatch, body) = (wire.message, wire.batch, [UInt8](wire.body))
    }
}
