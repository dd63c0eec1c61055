// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
import WaymarkProtocol

/// The point at which a hook begins.
public enum HookStart: Sendable, Hashable {
    /// Begins with the next change.
    case now
    /// Begins with the oldest change that the log keeps.
    case oldest
    /// Begins after this revision.
    case after(UInt64)

    /// Reads `now`, `start` or a revision; nil for another text.
    package init?(text: String) {
        switch text {
        case "now": self = .now
        case "start": self = .oldest
        default:
            guard let rev = UInt64(text), !text.hasPrefix("+") else { return nil }
            self = .after(rev)
        }
    }
}

/// The description of a hook that is to be added.
public struct NewHook: Sendable, Hashable {
    public var name: String
    /// The receiver's URL, of scheme `http` or `https`.
    public var url: String
    public var filter = FeedFilter.everything
    /// The name of the fence that the filter was taken from, to show it; empty for none.
    public var fence = ""
    /// The maximum number of changes in a message, 1 to 1,000.
    public var batch = 1
    public var start = HookStart.now
    /// The secret that signs messages: `whsec_` and the base64 of 24 to 64 bytes; nil for a new one.
    public var secret: String?

    public init(name: String, url: String) { (self.name, self.url) = (name, url) }

    func wire() throws(ClientError) -> WireAddHook {
        var wire = WireAddHook()
        (wire.name, wire.url, wire.fence, wire.filter) = (name, url, fence, filter.kept)
        wire.batch = UInt32(clamping: batch)
        switch start {
        case .now: wire.now = true
        case .oldest: wire.start = true
        case .after(let rev): wire.rev = rev
        }
        if let secret {
            wire.secret = HookSecret.bytes(secret) ?? Data()
            let isSecret = (24...64).contains(wire.secret.count)
            guard isSecret else { throw .invalid("A hook's secret is \"whsec_\" and the base64 of 24 to 64 bytes.") }
        }
        return wire
    }
}

/// A change of a hook.
public enum HookChange: Sendable, Hashable {
    case pause
    /// Delivers again from this point on, or for nil from the hook's position on. A hook cannot resume from the oldest
    /// change.
    case resume(HookStart?)
    /// Makes a new secret. Messages are signed with the former one too for another 24 hours.
    case rotate
    case remove
    /// Sends a message that says that it is a test.
    case test
    /// Sends the change of this revision again, outside the order.
    case redeliver(UInt64)

    /// - Parameter name: the hook's name; nil for all of the caller's hooks; for an administrator, everybody's.
    func wire(_ name: String?) throws(ClientError) -> WireChangeHook {
        var wire = WireChangeHook()
        (wire.name, wire.all) = (name ?? "", name == nil)
        switch self {
        case .pause: wire.act = .pause
        case .resume(.oldest): throw .invalid("A hook resumes from now, or after a revision.")
        case .resume(let start):
            (wire.act, wire.fromNow) = (.resume, start == .now)
            if case .after(let rev) = start { wire.rev = rev }
        case .rotate: wire.act = .rotate
        case .remove: wire.act = .remove
        case .test: wire.act = .test
        case .redeliver(let rev): (wire.act, wire.rev) = (.redeliver, rev)
        }
        return wire
    }
}

/// The text of a secret, as in Standard Webhooks.
enum HookSecret {
    private static let prefix = "whsec_"

    static func text(_ secret: Data) -> String { prefix + secret.base64EncodedString() }

    /// Nil if the text is no secret.
    static func bytes(_ text: String) -> Data? {
        text.hasPrefix(prefix) ? Data(base64Encoded: String(text.dropFirst(prefix.count))) : nil
    }
}

extension ClientError {
    fileprivate static func invalid(_ sentence: String) -> ClientError { .refused(ServiceError(.invalid, sentence)) }
}
