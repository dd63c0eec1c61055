// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf
import WaymarkProtocol

/// Reads an encoded `Reply` without decoding it into message objects.
public struct ReplyReader {
    /// The word for an answer that cannot be read or does not fit the request.
    public static let unreadable = "unreadable_answer"

    /// The type of the result; nil if this program does not know the type.
    public let result: ReplyField?
    private let bytes: UnsafeRawBufferPointer

    /// - Parameter reply: the encoded reply, which must stay valid as long as the reader is used.
    public init(_ reply: UnsafeRawBufferPointer) {
        var fields = WireFields(reply)
        guard case (let field, .bytes(let bytes))? = fields.next() else {
            (result, self.bytes) = (nil, reply)
            return
        }
        (result, self.bytes) = (ReplyField(rawValue: field), bytes)
    }

    /// The name of the error code; nil if the reply is not a refusal.
    public var refusal: String? {
        guard result == .failure else { return nil }
        guard let code = Self.number(FailureField.code, in: bytes) else { return Self.unreadable }
        return (ErrorCode(rawValue: UInt32(clamping: code)) ?? .internal).name
    }

    /// Whether the reply has at most `limit` hits and, if `areMeasured`, ascending distances within the radius.
    public func areHits(atMost limit: Int, within radius: Double = .infinity, areMeasured: Bool) -> Bool {
        guard result == .hits else { return false }
        var (count, before) = (0, 0.0)
        var fields = WireFields(bytes)
        while let hit = fields.next(HitsField.hits) {
            count += 1
            guard areMeasured else { continue }
            guard case .fixed64(let bits)? = Self.value(HitField.distanceM, in: hit),
                case let distance = Double(bitPattern: bits), distance >= before, distance <= radius
            else { return false }
            before = distance
        }
        return fields.isWhole && count <= limit
    }

    /// Whether the write was executed, which its revision in the reply shows.
    public var isWritten: Bool { result == .written && Self.number(WrittenField.rev, in: bytes) ?? 0 > 0 }

    /// The number of rows that an ingest added, and whether storage rejected any; nil if the reply is of another kind.
    public var ingested: (added: UInt64, isRejected: Bool)? {
        guard result == .ingest else { return nil }
        var (all, rejected) = (WireFields(bytes), WireFields(bytes))
        let counts = all.next(IngestReportField.counts)
        return (
            counts.flatMap { Self.number(IngestCountsField.added, in: $0) } ?? 0,
            rejected.next(IngestReportField.rejected) != nil
        )
    }

    private static func number(_ field: some WireField, in message: UnsafeRawBufferPointer) -> UInt64? {
        guard case .number(let number)? = value(field, in: message) else { return nil }
        return number
    }

    /// Returns the first value of a field.
    private static func value(_ wanted: some WireField, in message: UnsafeRawBufferPointer) -> WireFields.Value? {
        var fields = WireFields(message)
        while let (field, value) = fields.next() { if field == wanted.rawValue { return value } }
        return nil
    }
}
