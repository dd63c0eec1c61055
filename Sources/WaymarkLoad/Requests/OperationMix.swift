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
    /// Which operation each number is of, as far as answers may still come: more than a generator has under way.
    private var drawn: [UInt8] = []
    /// Sums of the weights, up to 1.
    private let sums: [Double]
    private var random: SeededGenerator

    private static let room: UInt64 = 1 << 21

    /// - Parameter operations: up to 255.
    init(_ operations: [WeightedOperation], seed: UInt64) {
        self.operations = operations.map(\.operation)
        let all = operations.reduce(0) { $0 + $1.weight }
        var sum = 0.0
        sums = operations.map { one in
            sum += one.weight / all
            return sum
        }
        random = SeededGenerator(seed: seed)
        if operations.count > 1 { drawn = Array(repeating: 0, count: Int(Self.room)) }
    }

    var names: [String] { operations.map(\.name) }

    func body(_ number: UInt64) -> [UInt8] {
        guard operations.count > 1 else { return operations[0].body(number) }
        let share = random.unit()
        let place = sums.firstIndex { share < $0 } ?? operations.count - 1
        drawn[Int(number % Self.room)] = UInt8(place)
        return operations[place].body(number)
    }

    /// Which operation a number was, and what is wrong with the answer to it.
    func judge(_ number: UInt64, _ reply: ReplyReader) -> (part: Int, fault: String?) {
        let place = operations.count > 1 ? Int(drawn[Int(number % Self.room)]) : 0
        return (place, reply.refusal ?? operations[place].fault(reply))
    }
}
