// SPDX-License-Identifier: Apache-2.0

import Accounts
import Glibc
import ZeroMQ

/// Makes and checks password hashes on two threads, whose priority is lower than that of the services' threads.
struct PasswordHasher {
    private static let threads = 2

    private var threads: [PasswordThread] = []
    private var idle: [PasswordThread] = []
    private var queue = PasswordQueue<(PasswordThread?) -> Void>()

    /// Calls `ready` once: with a thread to be given back to `end(_:)`, or with nil if too many requests wait.
    mutating func begin(_ source: SignInLimits.Source, _ ready: @escaping (PasswordThread?) -> Void) {
        while threads.count < Self.threads, let thread = try? PasswordThread() {
            threads.append(thread)
            idle.append(thread)
        }
        if let thread = idle.popLast() {
            queue.began(source)
            return ready(thread)
        }
        queue.add(ready, from: source)?(nil)
    }

    mutating func end(_ thread: PasswordThread) {
        // The thread has been taken away by `stop()`.
        guard threads.contains(where: { $0 === thread }) else { return }
        if let next = queue.next() { next(thread) } else { idle.append(thread) }
    }

    mutating func stop() -> [PasswordThread] {
        while let next = queue.next() { next(nil) }
        defer { (threads, idle) = ([], []) }
        return threads
    }
}

actor PasswordThread {
    private let loop: EventLoop

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
        // On Linux, setpriority(2) affects only the calling thread (see "C library/kernel differences" in its manual).
        // With nice value 5, it gets a third of the time of other threads. With value 10 it got a tenth, and on one
        // busy core a hash was ready only after the request's deadline.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 5)
    }
}
