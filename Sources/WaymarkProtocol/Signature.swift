// SPDX-License-Identifier: Apache-2.0

/// The first four bytes of every message: `W` `M`, the version of the protocol, and the kind of the message.
///
/// ```
///   0      1      2         3
/// +------+------+---------+------+
/// | 0x57 | 0x4D | version | kind |
/// +------+------+---------+------+
/// ```
///
/// See `Protocol.md`, part Frames.
public struct Signature: Hashable, Sendable {
    public enum Kind: UInt8, Sendable {
        /// `R`: a request, with the frames signature, `RequestHeader`, `Request`.
        case request = 0x52
        /// `A`: an answer, with the frames signature, `ReplyHeader`, `Reply`.
        case answer = 0x41
        /// `F`: a message of a feed. Its topic begins with the signature, whose version is ``FeedTopic/version``.
        case feed = 0x46
    }

    public var version: UInt8
    public var kind: Kind

    public init(_ kind: Kind, version: UInt8 = WaymarkProtocol.version) {
        self.kind = kind
        self.version = version
    }

    public var bytes: [UInt8] { [0x57, 0x4d, version, kind.rawValue] }

    /// Calls `body` with the four bytes, without making an array.
    public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withUnsafeBytes(of: (UInt8(0x57), UInt8(0x4d), version, kind.rawValue), body)
    }

    /// Decodes a signature. Nil if no message of any version of the protocol begins with these bytes.
    public init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 4, bytes[0] == 0x57, bytes[1] == 0x4d, let kind = Kind(rawValue: bytes[3]) else {
            return nil
        }
        self.init(kind, version: bytes[2])
    }
}
