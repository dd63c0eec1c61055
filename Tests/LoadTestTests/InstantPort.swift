// SPDX-License-Identifier: Apache-2.0

import ZeroMQ

@testable import LoadTest

/// Answers each request at once, but for those that it is told to keep for itself. On one thread only.
final class InstantPort: RequestPort {
    private let isAnswered: (UInt64) -> Bool
    /// Nanoseconds that it takes to make a request.
    var making: UInt64 = 0
    private var made: UInt64 = 0
    private var answers: [UInt64] = []

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
        if isAnswered(number) { answers.append(number) }
        return true
    }

    func receive() throws(ZeroMQError) -> RequestAnswer? {
        answers.isEmpty ? nil : RequestAnswer(number: answers.removeFirst(), bytes: 1)
    }

    func join(_ poller: inout Poller) {}
}
