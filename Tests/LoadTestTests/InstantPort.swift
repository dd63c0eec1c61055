// SPDX-License-Identifier: Apache-2.0

import ZeroMQ

@testable import LoadTest

/// Answers each request at once, but for those that it is told to keep for itself. On one thread only.
final class InstantPort: RequestPort {
    private let isAnswered: (UInt64) -> Bool
    /// Nanoseconds that it takes to make a request.
    var making: UInt64 = 0
    private var made: UInt64 = 0
    /// Which part of a load operations belong to, by number.
    var partOf: (UInt64) -> Int = { _ in 0 }
    private(set) var part = 0
    private var answers: [RequestAnswer] = []

    init(isAnswered: @escaping (UInt64) -> Bool = { _ in true }) {
        self.isAnswered = isAnswered
    }

    func prepare(_ number: UInt64) {
        guard number > made else { return }
        made = number
        NanoClock.sleep(making)
    }

    func send(_ number: UInt64, intended: UInt64) throws(ZeroMQError) -> Bool {
        prepare(number)
        part = partOf(number)
        if isAnswered(number) { answers.append(RequestAnswer(number: number, bytes: 1)) }
        return true
    }

    func receive() throws(ZeroMQError) -> RequestAnswer? {
        answers.isEmpty ? nil : answers.removeFirst()
    }

    func join(_ poller: inout Poller) {}
}
