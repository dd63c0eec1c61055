// SPDX-License-Identifier: Apache-2.0

import LoadTest

/// An operation and its weight: how often it is chosen compared with others.
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
    /// The number of sent requests, and their bytes.
    private(set) var sent: (requests: Int, bytes: Int) = (0, 0)
    /// The latest request: its number, the index of its operation, and its body. Kept until another number is
    /// requested, because a socket that refused the request gets it again later.
    private var number: UInt64 = 0
    private(set) var part = 0
    private(set) var body: [UInt8] = []

    /// - Parameter operations: at most 256.
    init(_ operations: [WeightedOperation], seed: UInt64) {
        self.operations = operations.map(\.operation)
        choice = WeightedChoice(operations.map(\.weight))
        random = SeededGenerator(seed: seed)
    }

    var names: [String] { operations.map(\.name) }

    /// The average size of the sent requests; nil if there were none.
    var requestBytes: Int? { sent.requests > 0 ? sent.bytes / sent.requests : nil }

    func hasSent(_ bytes: Int) { sent = (sent.requests + 1, sent.bytes + bytes) }

    /// Makes the request of this number, unless it is the latest one. Numbers begin with 1.
    func prepare(_ number: UInt64) {
        guard number != self.number else { return }
        self.number = number
        part = operations.count > 1 ? choice.place(random.unit()) : 0
        body.removeAll(keepingCapacity: true)
        operations[part].append(number, to: &body)
    }

    /// The request's number on the wire. It includes the index of the operation, and the answer repeats it, so nothing
    /// has to be stored for answers that may come late or never.
    func sequence(_ number: UInt64, part: Int) -> UInt64 {
        operations.count > 1 ? number << 8 | UInt64(part) : number
    }

    /// The number and operation behind a number on the wire; nil if this test did not make it.
    func read(sequence: UInt64) -> (number: UInt64, part: Int)? {
        guard operations.count > 1 else { return (sequence, 0) }
        let part = Int(sequence & 0xff)
        return part < operations.count ? (sequence >> 8, part) : nil
    }

    /// Checks an answer: nil if it is right, otherwise a word for the refusal or the fault.
    func fault(_ part: Int, _ reply: ReplyReader) -> String? { reply.refusal ?? operations[part].fault(reply) }
}
