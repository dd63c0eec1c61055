// SPDX-License-Identifier: Apache-2.0

import LoadTest

/// The operations of a run, drawn by weight. On one generator's thread only.
public final class OperationMix {
    private var operations: [any LoadOperation]
    /// Which operation each number is of, as far as answers may still come: as the generator's room.
    private var drawn: [UInt8] = []
    /// Sums of the weights, up to 1.
    private let sums: [Double]
    private var random: SeededGenerator
    /// What was done of each, by its place.
    private let told: ((Int, String?) -> Void)?

    private static let room = 1 << 20

    /// - Parameters:
    ///   - operations: up to 255, with weights above 0.
    ///   - told: called for each answer with the place of its operation and what is wrong with it.
    public init(
        _ operations: [(operation: any LoadOperation, weight: Double)], seed: UInt64,
        told: ((Int, String?) -> Void)? = nil
    ) {
        self.operations = operations.map(\.operation)
        let all = operations.reduce(0) { $0 + $1.weight }
        var sum = 0.0
        sums = operations.map { one in
            sum += one.weight / all
            return sum
        }
        random = SeededGenerator(seed: seed)
        self.told = told
        if operations.count > 1 { drawn = Array(repeating: 0, count: Self.room) }
    }

    func body(_ number: UInt64) -> [UInt8] {
        guard operations.count > 1 else { return operations[0].body(number) }
        let share = random.unit()
        let place = sums.firstIndex { share < $0 } ?? operations.count - 1
        drawn[Int(number % UInt64(Self.room))] = UInt8(place)
        return operations[place].body(number)
    }

    func fault(_ number: UInt64, _ reply: ReplyReader) -> String? {
        let place = operations.count > 1 ? Int(drawn[Int(number % UInt64(Self.room))]) : 0
        let fault = reply.refusal ?? operations[place].fault(reply)
        told?(place, fault)
        return fault
    }
}
