// SPDX-License-Identifier: Apache-2.0

import Accounts
import Glibc
import WaymarkProtocol
import ZeroMQ

/// Makes and checks hashes of passwords, two at a time, on threads that give way to those of the
/// services.
struct PasswordClerk {
    private static let threads = 2
    /// The most that wait. Each takes some 50 ms of an idle machine, so the last one still has its answer in time.
    private static let most = 32

    private var threads: [PasswordThread] = []
    private var busy: [Int] = []

    /// - Throws: ``ErrorCode/busy``.
    mutating func begin() throws(ServiceError) -> (number: Int, thread: PasswordThread) {
        while threads.count < Self.threads, let thread = try? PasswordThread() {
            threads.append(thread)
            busy.append(0)
        }
        guard busy.reduce(0, +) < Self.most, let number = busy.indices.min(by: { busy[$0] < busy[$1] }) else {
            throw ServiceError(.busy, "Too many people sign in at once: try again.", retryAfter: 1_000)
        }
        busy[number] += 1
        return (number, threads[number])
    }

    mutating func end(_ number: Int) { busy[number] -= 1 }

    mutating func stop() -> [PasswordThread] {
        defer { (threads, busy) = ([], []) }
        return threads
    }
}

/// One thread for hashes.
actor PasswordThread {
    private let loop: EventLoop
    private var isLow = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init() throws(ZeroMQError) { loop = try EventLoop(name: "passwords") }

    func hash(_ password: [UInt8]) -> String? {
        lowerPriority()
        return PasswordHash.make(password)
    }

    func verify(_ password: [UInt8], _ hash: String) -> Bool {
        lowerPriority()
        return PasswordHash.verify(password, hash)
    }

    func stop() async { await loop.stop() }

    private func lowerPriority() {
        guard !isLow else { return }
        isLow = true
        // setpriority(2), part C library/kernel differences: on Linux it is of the calling thread alone.
        // 10 gets a tenth of what others get: on a busy machine a hash takes half a second, and still comes in time.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
    }
}
