// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf
import WaymarkProtocol

/// Reads an encoded `Reply` without building message objects.
public struct ReplyReader {
    /// The field numbers of `Reply`.
    public enum Result: UInt64, Sendable {
        case failure = 1
        case hits = 10
        case written = 30
        case ingest = 36
    }

    /// The fault of an answer that is unreadable or does not fit the request.
    public static let unreadable = "unreadable_answer"

    /// The type of the result; nil if it is unknown here.
    public let result: Result?
    /// The encoded result.
    private let bytes: UnsafeRawBufferPointer

    /// - Parameter reply: must stay valid as long as the reader is used.
    public init(_ reply: UnsafeRawBufferPointer) {
        var fields = WireFields(reply)
        guard case (let field, .bytes(let bytes))? = fields.next() else {
            (result, self.bytes) = (nil, reply)
            return
        }
        (result, self.bytes) = (Result(rawValue: field), bytes)
    }

    /// The name of the error code; nil if the reply is not a refusal.
    public var refusal: String? {
        guard result == .failure else { return nil }
        var fields = WireFields(bytes)
        while let (field, value) = fields.next() {
            if field == 1, case .number(let code) = value {
                return (ErrorCode(rawValue: UInt32(clamping: code)) ?? .internal).name
            }
        }
        return Self.unreadable
    }

    /// Whether the reply has at most `limit` hits and, if they are measured, distances that do not decrease and stay
    /// within the radius.
    public func areHits(atMost limit: Int, within radius: Double = .infinity, areMeasured: Bool) -> Bool {
        guard result == .hits else { return false }
        var (count, before) = (0, 0.0)
        var fields = WireFields(bytes)
        while let (field, value) = fields.next() {
            guard field == 1, case .bytes(let hit) = value else { continue }
            count += 1
            guard areMeasured else { continue }
            guard let distance = Self.distance(hit), distance >= before, distance <= radius else { return false }
            before = distance
        }
        return fields.isWhole && count <= limit
    }

    /// Whether the write was done: then it has a revision.
    public var isWritten: Bool {
        guard result == .written else { return false }
        var fields = WireFields(bytes)
        while let (field, value) = fields.next() {
            if field == 2, case .number(let rev) = value { return rev > 0 }
        }
        return false
    }

    /// The number of added rows of an ingest, and whether storage rejected any row.
    public var ingested: (added: UInt64, isRejected: Bool)? {
        guard result == .ingest else { return nil }
        var summary: (added: UInt64, isRejected: Bool) = (0, false)
        var fields = WireFields(bytes)
        while let (field, value) = fields.next() {
            guard case .bytes(let part) = value else { continue }
            if field == 2 { summary.isRejected = true }
            guard field == 1 else { continue }
            var counts = WireFields(part)
            while let (field, value) = counts.next() {
                if field == 1, case .number(let added) = value { summary.added = added }
            }
        }
        return summary
    }

    /// The distance of an encoded hit in metres.
    private static func distance(_ hit: UnsafeRawBufferPointer) -> Double? {
        var fields = WireFields(hit)
        while let (field, value) = fields.next() {
            if field == 2, case .fixed64(let bits) = value { return Double(bitPattern: bits) }
        }
        return nil
    }
}
