// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf
public import WaymarkProtocol

/// Counts answered requests by kind and result, and measures their times.
///
/// A service answers a hundred thousand requests a second, so counting a request only increments elements of arrays.
/// The metrics copy the whole value a few times a minute.
public struct RequestTally: Sendable {
    /// The number of requests of one kind that had the same result.
    public struct Line: Sendable {
        public var kind: RequestKind
        /// The error code; nil for success.
        public var refusal: ErrorCode?
        public var count: UInt64
    }

    private static let firstCode: UInt32 = 400
    private static let results = 128

    /// For each kind, the number of successes, followed by the number of refusals with each error code.
    private var counts = [UInt64](repeating: 0, count: RequestKind.count * Self.results)
    private var times = [Distribution](repeating: .times, count: RequestKind.count)

    public init() {}

    /// Counts an answered request.
    ///
    /// - Parameter nanoseconds: the time since the request was received.
    mutating func count(_ kind: RequestKind, _ refusal: ErrorCode?, nanoseconds: UInt64) {
        let result = refusal.map { Int($0.rawValue - Self.firstCode) + 1 } ?? 0
        counts[Int(kind.rawValue) * Self.results + result] &+= 1
        times[Int(kind.rawValue)].add(nanoseconds)
    }

    /// The counts that are not 0, in the order of kinds and error codes.
    public var lines: [Line] {
        RequestKind.allCases.flatMap { kind in
            ([nil] + ErrorCode.allCases.map(Optional.some)).compactMap { refusal in
                let result = refusal.map { Int($0.rawValue - Self.firstCode) + 1 } ?? 0
                let count = counts[Int(kind.rawValue) * Self.results + result]
                return count == 0 ? nil : Line(kind: kind, refusal: refusal, count: count)
            }
        }
    }

    /// Returns the distribution of the nanoseconds from receiving a request until its answer was ready. The time that
    /// the request waited in queues before is not included.
    public func times(of kind: RequestKind) -> Distribution { times[Int(kind.rawValue)] }
}

extension ErrorCode {
    /// Reads the error code in an encoded `Reply`. Nil if the reply is not a failure.
    ///
    /// Only the field of the code is read, because decoding the whole answer would cost too much.
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

extension ServiceError {
    /// Decodes the failure in an encoded `Reply`. Nil if the reply is not a failure.
    public init?(ofReply body: [UInt8]) {
        guard ErrorCode(ofReply: body) != nil,
            case .failure(let failure)? = (try? WireReply(serializedBytes: body))?.result
        else { return nil }
        self.init(failure)
    }
}
