// SPDX-License-Identifier: Apache-2.0

import LoadTest

/// An operation and how often it is drawn beside the others.
public struct WeightedOperation: Sendable {
    public var operation: any LoadOperation
    /// More than 0.
    public var weight: Double

    public init(_ operation: any LoadOperation, weight: Double = 1) {
        (self.operation, self.weight) = (operation, weight)
    }
}

/// The operations of a run, drawn by weight. On one generator's thread only.
final class OperationMix {
    private var operations: [any LoadOperation]
    /// Sums of the weights, up to 1.
    private let sums: [Double]
    private var random: SeededGenerator
    /// Requests that were sent, and their bytes.
    private(set) var sent: (requests: Int, bytes: Int) = (0, 0)
    /// The request that was made last: its number, which operation it is, and what is sent. Until another one is asked
    /// for it stays: what the socket did not take is sent later.
    private var number: UInt64 = 0
    private(set) var part = 0
    private(set) var body: [UInt8] = []

    /// - Parameter operations: up to 256.
    init(_ operations: [WeightedOperation], seed: UInt64) {
        self.operations = operations.map(\.operation)
        let all = operations.reduce(0) { $0 + $1.weight }
        var sum = 0.0
        sums = operations.map { one in
            sum += one.weight / all
            return sum
        }
        random = SeededGenerator(seed: seed)
    }

    var names: [String] { operations.map(\.name) }

    /// Of all that were sent, on the average; nil when none was.
    var requestBytes: Int? { sent.requests > 0 ? sent.bytes / sent.requests : nil }

    func hasSent(_ bytes: Int) { sent = (sent.requests + 1, sent.bytes + bytes) }

    /// Makes a request, unless it is the one that was made last. Numbers begin with 1.
    func prepare(_ number: UInt64) {
        guard number != self.number else { return }
        self.number = number
        part = 0
        if operations.count > 1 {
            let share = random.unit()
            part = sums.firstIndex { share < $0 } ?? operations.count - 1
        }
        body.removeAll(keepingCapacity: true)
        operations[part].append(number, to: &body)
    }

    /// What a request is named on the wire. It says which operation it is, and the answer says it again: nothing has to be
    /// kept for answers that may come late or never.
    func sequence(_ number: UInt64, part: Int) -> UInt64 {
        operations.count > 1 ? number << 8 | UInt64(part) : number
    }

    /// Nil: no request is named so.
    func read(sequence: UInt64) -> (number: UInt64, part: Int)? {
        guard operations.count > 1 else { return (sequence, 0) }
        let part = Int(sequence & 0xff)
        return part < operations.count ? (sequence >> 8, part) : nil
    }

    /// What is wrong with an answer.
    func fault(_ part: Int, _ reply: ReplyReader) -> String? { reply.refusal ?? operations[part].fault(reply) }
}
