// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestTurns
import Testing

@testable import ZeroMQ

/// In processes of their own: what they do wrong ends one, and what they use up the others need.
@Suite("What cannot be had, and what must not be done", .inShortTurn)
struct MisuseTests {
    @Test("a socket that is used on another thread ends the process with a sentence")
    func otherThread() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try Context()
            let shared = try SharedSocket(.dealer, context: context)
            onOtherThread(shared) { _ = $0.handle }
            // Only reached if it was not noticed.
            exit(0)
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(said.contains("used on another thread than the one that made it"))
    }

    @Test("so does one that is let go of on another thread")
    func closedElsewhere() async {
        await #expect(processExitsWith: .failure) {
            let context = try Context()
            onOtherThread(try SharedSocket(.dealer, context: context)) { $0.close() }
            exit(0)
        }
    }

    @Test("without a file descriptor for it a loop is an error that says what to do")
    func noDescriptor() async {
        await #expect(processExitsWith: .success) {
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            let before = limit.rlim_cur
            limit.rlim_cur = 0
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            let failure = #expect(throws: ZeroMQError.self) { _ = try EventLoop(name: "none") }
            limit.rlim_cur = before
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            guard failure?.code == .tooManySockets, failure?.description.contains("ulimit -n") == true else { exit(1) }
            await (try EventLoop(name: "one")).stop()
        }
    }

    @Test("without a thread for it a loop is an error, and its file descriptor is given back")
    func noThread() async {
        await #expect(processExitsWith: .success) {
            // More often than there may be descriptors.
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = 256
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            for _ in 0..<300 {
                let failure = #expect(throws: ZeroMQError.self) {
                    _ = try EventLoop(name: "none", starting: { _, _ in nil })
                }
                guard failure?.code == .noThread, failure?.description.contains("ulimit -u") == true else { exit(1) }
            }
        }
    }
}

/// Runs `body` on a thread of its own, until its end.
private func onOtherThread(_ socket: SharedSocket, _ body: @escaping (SharedSocket) -> Void) {
    // The mistake that the tests are about: nothing of this may cross threads.
    nonisolated(unsafe) let (socket, body) = (socket, body)
    let thread = startThread("other") { body(socket) }
    if let thread { pthread_join(thread, nil) }
}
