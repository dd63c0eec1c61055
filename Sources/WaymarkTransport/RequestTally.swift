// SPDX-License-Identifier: Apache-2.0

public import WaymarkProtocol

/// How the requests were answered that came to a socket, and how soon: by kind, and by what the answers said.
///
/// A loop answers a hundred thousand of them a second, so it does not look anything up by name here: two places in
/// arrays are counted up. Whoever wants metrics copies the whole, a few times a minute.
public struct RequestTally: Sendable {
    /// How many of one kind were answered with the same result.
    public struct Line: Sendable {
        public var kind: RequestKind
        /// Nil: it was done.
        public var refusal: ErrorCode?
        public var count: UInt64
    }

    private static let firstCode: UInt32 = 400
    private static let results = 128

    /// For each kind what was done, then what was refused, by code.
    private var counts = [UInt64](repeating: 0, count: RequestKind.count * Self.results)
    private var times = [Distribution](repeating: .times, count: RequestKind.count)

    public init() {}

    /// - Parameter nanoseconds: from when it was taken off the socket.
    mutating func count(_ kind: RequestKind, _ refusal: ErrorCode?, nanoseconds: UInt64) {
        let result = refusal.map { Int($0.rawValue - Self.firstCode) + 1 } ?? 0
        counts[Int(kind.rawValue) * Self.results + result] &+= 1
        times[Int(kind.rawValue)].add(nanoseconds)
    }

    /// What has been counted at all, in the order of kinds and codes.
    public var lines: [Line] {
        RequestKind.allCases.flatMap { kind in
            ([nil] + ErrorCode.allCases.map(Optional.some)).compactMap { refusal in
                let result = refusal.map { Int($0.rawValue - Self.firstCode) + 1 } ?? 0
                let count = counts[Int(kind.rawValue) * Self.results + result]
                return count == 0 ? nil : Line(kind: kind, refusal: refusal, count: count)
            }
        }
    }

    /// From when a request was taken off the socket until its answer was on its way, in nanoseconds. What it waited
    /// before that, in queues of the two ends, is not in it.
    public func times(of kind: RequestKind) -> Distribution { times[Int(kind.rawValue)] }
}

extension ErrorCode {
    /// The code in an encoded `Reply` that is a failure; nil when it is none.
    ///
    /// Looked up in the bytes: an answer is encoded where it is made, and decoding it again only to count it would cost
    /// more than all the rest of the counting.
    public init?(ofReply body: [UInt8]) {
        let code: UInt64? = body.withUnsafeBytes { body in
            guard WireFields.opening(body) == ReplyField.failure.rawValue else { return nil }
            var results = WireFields(body)
            guard case .bytes(let failure)? = results.next()?.value else { return 0 }
            var fields = WireFields(failure)
            guard case (FailureField.code.rawValue, .number(let code))? = fields.next() else { return 0 }
            return code
        }
        guard let code else { return nil }
        self = ErrorCode(rawValue: UInt32(clamping: code)) ?? .internal
    }
}
