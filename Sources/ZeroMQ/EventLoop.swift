// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ
internal import Glibc
internal import Synchronization

/// A thread that owns sockets. An event loop is a serial executor, so an actor that lives on it receives, handles and
/// answers a message without switching threads.
///
/// Each turn (iteration) of the event loop has these steps: wait in `poll` for sockets, jobs and the next timer;
/// call the handlers of the ready sockets; run the jobs queued so far; fire the timers that are due; check the
/// conditions for which tasks wait. Nothing is polled at intervals.
///
/// The thread keeps itself and the event loop alive until ``stop()``.
public final class EventLoop: SerialExecutor, Sendable {
    /// The name of the event loop. Its first 15 bytes are the name of the thread.
    public let name: String
    let inbox = Locked(Inbox())
    private let wakeUp: WakeUp
    /// The id of the thread that may touch `turns`: the event loop's own or, after ``stop()``, a late thread; else 0.
    let owner = Atomic<Int32>(0)
    /// Touched only by the `owner` thread. A late thread becomes the owner under the lock of the inbox.
    nonisolated(unsafe) let turns: Turns
    /// The id of the event loop's first thread, for which late threads stand in. Set before anything runs on the event
    /// loop.
    let thread = Atomic<Int32>(0)

    /// Starts the thread.
    ///
    /// Throws ``ZeroMQError/Code/tooManySockets`` when the process has no file descriptor left, and
    /// ``ZeroMQError/Code/noThread`` when it cannot create another thread.
    public convenience init(name: String) throws(ZeroMQError) { try self.init(name: name, starting: startThread) }

    init(
        name: String, starting start: (String, @escaping @Sendable () -> Void) -> pthread_t?
    ) throws(ZeroMQError) {
        self.name = name
        wakeUp = WakeUp()
        turns = Turns(wakeUp)
        guard wakeUp.descriptor >= 0 else { throw ZeroMQError("eventfd", errno: errno) }
        guard let thread = start(name, { Self.threads.mark(self) { self.run() } }) else {
            throw ZeroMQError("pthread_create", code: .noThread, errno: EAGAIN)
        }
        inbox.withLock { $0.thread = thread }
    }

    /// Whether the caller runs on this event loop.
    ///
    /// Compares `gettid` instead of `pthread_self`, because glibc declares `pthread_self` constant, so that the
    /// optimiser may keep its value across an `await`.
    public var isCurrent: Bool { owner.load(ordering: .relaxed) == waymark_gettid() }

    /// Runs the queued jobs, cancels all watches and timers, stops the thread and joins it. May be called more than
    /// once, also by an actor of this event loop.
    ///
    /// Jobs that are enqueued later are not lost, because a new thread runs them and ends when there are none left. So
    /// tasks that wait for an actor of this event loop still finish, and an `isolated deinit` still runs. As before,
    /// only one job runs at a time. Watches and timers that such jobs make have no effect.
    @concurrent
    public func stop() async {
        // The function is `@concurrent`, because a thread cannot join itself.
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let (isOver, mustWake) = inbox.withLock { $0.stop(continuation) }
            if mustWake { wake() }
            if isOver { continuation.resume() }
        }
        if let thread = inbox.withLock({ $0.takeThread() }) { pthread_join(thread, nil) }
    }

    func wake() { wakeUp.call() }

    private func run() {
        thread.store(waymark_gettid(), ordering: .relaxed)
        owner.store(waymark_gettid(), ordering: .relaxed)
        while !inbox.withLock({ $0.isStopping }) {
            turns.wait(isIdle: inbox.withLock { $0.fallAsleep() })
            inbox.withLock { $0.isAsleep = false }
            turns.callHandlers()
            turns.runJobs(of: self)
            turns.fireTimers()
            turns.lookAtConditions()
        }
        turns.runJobs(of: self)
        turns.cancelAll()
        finish().forEach { $0.resume() }
    }

    /// Runs jobs until there are none, and returns the continuations of the callers of ``stop()``.
    private func finish() -> [CheckedContinuation<Void, Never>] {
        while true {
            turns.runJobs(of: self)
            let waiting = inbox.withLock { inbox -> [CheckedContinuation<Void, Never>]? in
                guard inbox.work.isEmpty else { return nil }
                owner.store(0, ordering: .relaxed)
                return inbox.end()
            }
            if let waiting { return waiting }
        }
    }

    /// Runs the jobs that were queued after ``stop()``, on a thread of their own. As before, only one thread at a time
    /// runs jobs; the inbox's lock hands `turns` from one thread to the next.
    func runLate() {
        let body: @Sendable () -> Void = {
            self.owner.store(waymark_gettid(), ordering: .relaxed)
            LateThreads.originals.mark(self.thread.load(ordering: .relaxed)) {
                Self.threads.mark(self) { self.finish().forEach { $0.resume() } }
            }
        }
        // If no other thread can be created, the thread that enqueues the job has to run it.
        if !startDetachedThread(name, body) { body() }
    }
}
