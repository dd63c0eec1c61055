// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf
import WaymarkProtocol

/// An encoded `Reply`: which result it has, without making objects of it.
public struct ReplyReader {
    /// As the fields of `Reply` are numbered.
    public enum Result: UInt64, Sendable {
        case failure = 1
        case hits = 10
        case written = 30
        case ingest = 36
    }

    /// A word for an answer that is none: not the protocol's, or not to what was asked.
    public static let unreadable = "unreadable_answer"

    /// Nil: none that is known here.
    public let result: Result?
    /// Of the result.
    private let bytes: UnsafeRawBufferPointer

    /// - Parameter reply: good as long as this is used.
    public init(_ reply: UnsafeRawBufferPointer) {
        var fields = WireFields(reply)
        guard case (let field, .bytes(let bytes))? = fields.next() else {
            (result, self.bytes) = (nil, reply)
            return
        }
        (result, self.bytes) = (Result(rawValue: field), bytes)
    }

    /// Of a refusal: the word of its code. Nil: it is none.
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

    /// Whether it has at most so many hits, and, where they are measured, none nearer than the one before or beyond the
    /// radius.
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

    /// Whether a row was written for good: it has a revision.
    public var isWritten: Bool {
        guard result == .written else { return false }
        var fields = WireFields(bytes)
        while let (field, value) = fields.next() {
            if field == 2, case .number(let rev) = value { return rev > 0 }
        }
        return false
    }

    /// Of an ingest: rows that were added, and whether storage rejected any.
    public var ingested: (added: UInt64, isRejected: Bool)? {
        guard result == .ingest else { return nil }
        var told: (added: UInt64, isRejected: Bool) = (0, false)
        var fields = WireFields(bytes)
        while let (field, value) = fields.next() {
            guard case .bytes(let part) = value else { continue }
            if field == 2 { told.isRejected = true }
            guard field == 1 else { continue }
            var counts = WireFields(part)
            while let (field, value) = counts.next() {
                if field == 1, case .number(let added) = value { told.added = added }
            }
        }
        return told
    }

    /// Metres.
    private static func distance(_ hit: UnsafeRawBufferPointer) -> Double? {
        var fields = WireFields(hit)
        while let (field, value) = fields.next() {
            if field == 2, case .fixed64(let bits) = value { return Double(bitPattern: bits) }
        }
        return nil
    }
}
