// SPDX-License-Identifier: Apache-2.0

import LoadTest
import SwiftProtobuf
import WaymarkProtocol

/// An operation that a load test repeats. It makes the encoded requests and checks the answers.
public protocol LoadOperation: Sendable {
    /// The name of the operation: `near`, `write`, …
    var name: String { get }
    /// Appends one encoded `Request` to `body`. Called once for each number.
    mutating func append(_ number: UInt64, to body: inout [UInt8])
    /// Checks an answer, and returns a word for its fault; nil if it fits the request.
    ///
    /// - Parameter reply: reads the encoded `Reply`.
    func fault(_ reply: ReplyReader) -> String?
}

/// An operation and its weight, which sets how often it is chosen compared with the other operations.
public struct WeightedOperation: Sendable {
    public var operation: any LoadOperation
    /// The weight, greater than 0.
    public var weight: Double

    public init(_ operation: any LoadOperation, weight: Double = 1) {
        (self.operation, self.weight) = (operation, weight)
    }
}

/// Chooses the operations of a run by their weights. Used on one generator's thread only.
final class OperationMix {
    private var operations: [any LoadOperation]
    private let choice: WeightedChoice
    private var random: SeededGenerator
    /// The number of requests that were sent, and their total size in bytes.
    private(set) var sent: (requests: Int, bytes: Int) = (0, 0)
    /// The latest request: its number, the index of its operation, and its body. It is kept until another number is
    /// requested, because it is sent again later if the socket refused it.
    private var number: UInt64 = 0
    private(set) var part = 0
    private(set) var body: [UInt8] = []

    /// - Parameter operations: the operations, at most 256.
    init(_ operations: [WeightedOperation], seed: UInt64) {
        self.operations = operations.map(\.operation)
        choice = WeightedChoice(operations.map(\.weight))
        random = SeededGenerator(seed: seed)
    }

    var names: [String] { operations.map(\.name) }

    /// The average size of the requests that were sent, in bytes; nil if there were none.
    var requestBytes: Int? { sent.requests > 0 ? sent.bytes / sent.requests : nil }
    func hasSent(_ bytes: Int) { sent = (sent.requests + 1, sent.bytes + bytes) }

    /// Makes the request with this number, unless it is the latest request. Numbers begin with 1.
    func prepare(_ number: UInt64) {
        guard number != self.number else { return }
        self.number = number
        part = operations.count > 1 ? choice.place(random.unit()) : 0
        body.removeAll(keepingCapacity: true)
        operations[part].append(number, to: &body)
    }

    /// Returns the number that stands for a request on the wire. It contains the index of the operation, and the answer
    /// repeats it, so nothing has to be stored for answers that may come late or never.
    func sequence(_ number: UInt64, part: Int) -> UInt64 { operations.count > 1 ? number << 8 | UInt64(part) : number }

    /// Returns the number and the operation's index in a number on the wire; nil if this test did not make it.
    func read(sequence: UInt64) -> (number: UInt64, part: Int)? {
        guard operations.count > 1 else { return (sequence, 0) }
        let part = Int(sequence & 0xff)
        return part < operations.count ? (sequence >> 8, part) : nil
    }

    /// Checks an answer, and returns a word for the refusal or the fault; nil if the answer is right.
    func fault(_ part: Int, _ reply: ReplyReader) -> String? { reply.refusal ?? operations[part].fault(reply) }
}

/// Requests that are encoded before the run, so that encoding is not measured. They are stored one after another in one
/// array, so that sending a request allocates no array.
struct RequestPool: Sendable {
    static let size = 16_384

    private(set) var bytes: [UInt8] = []
    /// The offset of each request in the array, and the end of the last request.
    private(set) var starts: [Int] = [0]

    init(_ make: () -> WireRequest) { self.init(Self.size) { make().encoded } }

    init(_ count: Int, make: () -> [UInt8]) {
        starts.reserveCapacity(count + 1)
        for _ in 0..<count {
            bytes += make()
            starts.append(bytes.count)
        }
    }

    func place(_ number: UInt64) -> Int { Int(number % UInt64(Self.size)) }

    func append(_ number: UInt64, to body: inout [UInt8]) {
        let place = place(number)
        bytes.withUnsafeBytes { bytes in
            body.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[starts[place]..<starts[place + 1]]))
        }
    }
}

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
