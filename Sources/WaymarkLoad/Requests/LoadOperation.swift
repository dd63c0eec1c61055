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
