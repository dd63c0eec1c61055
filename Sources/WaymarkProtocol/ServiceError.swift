// SPDX-License-Identifier: Apache-2.0

public import Landmarks

/// A service's refusal of a request: a code for programs, and one sentence for people.
public struct ServiceError: Error, Hashable, Sendable, CustomStringConvertible {
    public var code: ErrorCode
    public var message: String
    /// Milliseconds to wait before sending the same request again; 0 if sending it again is of no use.
    public var retryAfter: UInt32
    /// The oldest revision (`floor`) and the newest (`head`) that the log keeps; only with ``ErrorCode/compacted`` and
    /// ``ErrorCode/futureRevision``.
    public var floor: UInt64
    public var head: UInt64
    /// The current version of the landmark; only with ``ErrorCode/versionMismatch``.
    public var version: UInt64

    public init(
        _ code: ErrorCode, _ message: String, retryAfter: UInt32 = 0, floor: UInt64 = 0, head: UInt64 = 0,
        version: UInt64 = 0
    ) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
        self.floor = floor
        self.head = head
        self.version = version
    }

    public var description: String { message }

    public static let requestConflict = ServiceError(
        .requestConflict,
        "Another request has used this client and sequence, so nothing was done: number each request anew.")

    public init(_ error: InvalidInput) {
        self.init(.invalid, error.description)
    }

    /// Runs `body`, and converts the invalid input that it throws to a `ServiceError`.
    package static func of<T>(_ body: () throws(InvalidInput) -> T) throws(ServiceError) -> T {
        do { return try body() } catch { throw ServiceError(error) }
    }

    /// Converts a failure that a peer sent. A code that this version does not know becomes ``ErrorCode/internal``.
    public init(_ wire: WireFailure) {
        self.init(
            ErrorCode(rawValue: wire.code) ?? .internal, wire.message, retryAfter: wire.retryAfterMs,
            floor: wire.floor, head: wire.head, version: wire.version)
    }

    public var wire: WireFailure {
        .with {
            $0.code = code.rawValue
            $0.message = message
            $0.retryAfterMs = retryAfter
            $0.floor = floor
            $0.head = head
            $0.version = version
        }
    }
}

extension WireReply {
    public init(_ error: ServiceError) {
        self.init()
        failure = error.wire
    }
}
