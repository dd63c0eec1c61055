// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ
internal import Glibc

/// The steps of an event loop's turn (iteration), and their state. Not Sendable: belongs to the event loop's thread.
final class Turns {
    private var registrations: [Registration] = []
    /// Item 0 is the event loop's own wake-up descriptor, and item n + 1 belongs to registration n.
    private var items: [zmq_pollitem_t]
    /// Whether `items` has to be rebuilt from `registrations` before the next wait.
    private var hasChanged = false
    private var readyCount: Int32 = 0
    private var timers = TimerQueue()
    private var waits: [LoopWait] = []
    private var batch: [Inbox.Work] = []
    /// Whether the event loop has ended. Anything added after that has no effect.
    private(set) var isOver = false

    private let wakeUp: WakeUp

    init(_ wakeUp: WakeUp) {
        self.wakeUp = wakeUp
        items = [zmq_pollitem_t(socket: nil, fd: wakeUp.descriptor, events: Int16(ZMQ_POLLIN), revents: 0)]
    }

    func add(_ registration: Registration) {
        if isOver { return registration.end() }
        registrations.append(registration)
        hasChanged = true
    }

    func markChanged() { hasChanged = true }

    func add(_ timer: LoopTimer) {
        if isOver { return timer.end() }
        timers.insert(timer)
    }

    func remove(_ timer: LoopTimer) { timers.remove(timer) }

    func add(_ wait: LoopWait) {
        if isOver { return wait.end() }
        waits.append(wait)
    }

    func remove(_ wait: LoopWait) { waits.removeAll { $0 === wait } }

    /// Waits until a socket is ready, the event loop is woken, or the next timer is due. If `isIdle` is `false`, only
    /// checks the sockets, without waiting.
    func wait(isIdle: Bool) {
        if hasChanged { collectItems() }
        let timeout = isIdle ? timers.millisecondsToNext : 0
        repeat {
            readyCount = items.withUnsafeMutableBufferPointer { zmq_poll($0.baseAddress, Int32($0.count), timeout) }
            // An interrupted wait may end early, because a turn with nothing to do is harmless.
        } while readyCount < 0 && zmq_errno() == EINTR && timeout < 0
        if readyCount < 0 { readyCount = markTerminated() }
    }

    func callHandlers() {
        guard readyCount > 0 else { return }
        if items[0].revents != 0 { wakeUp.clear() }
        // A handler may cancel or add any watch. That changes `registrations` only in the next wait.
        for index in 1..<max(items.count, 1) where items[index].revents != 0 {
            registrations[index - 1].call(items[index].revents)
        }
    }

    /// Runs one batch of jobs. Jobs that they enqueue wait for the next turn, so that the sockets need not wait.
    func runJobs(of loop: EventLoop) {
        loop.inbox.withLock { inbox in
            if !inbox.work.isEmpty { swap(&inbox.work, &batch) }
        }
        let executor = loop.asUnownedSerialExecutor()
        for work in batch {
            switch work {
            case .job(let job): job.runSynchronously(on: executor)
            case .body(let body): body()
            }
        }
        batch.removeAll(keepingCapacity: true)
    }

    func fireTimers() {
        guard !timers.isEmpty else { return }
        let now = TimerQueue.now
        while let timer = timers.popDue(now) {
            timer.fire()
            guard let interval = timer.interval, !timer.isOver, !isOver else { continue }
            timer.advance(past: now, by: interval)
            timers.insert(timer)
        }
    }

    func lookAtConditions() {
        for wait in waits { wait.look() }
    }

    func cancelAll() {
        isOver = true
        for wait in waits { wait.end() }
        for registration in registrations { registration.cancel() }
        registrations = []
        items.removeSubrange(1...)
        timers.endAll()
    }

    private func collectItems() {
        hasChanged = false
        registrations.removeAll { !$0.isActive }
        items.removeSubrange(1...)
        for registration in registrations {
            items.append(
                zmq_pollitem_t(socket: registration.shared.bare, fd: 0, events: registration.events, revents: 0))
        }
    }

    /// Marks the watches whose context was shut down, because one such socket makes `zmq_poll` fail as a whole. The
    /// handler of each is called once more, so that it encounters the error where it can act on it. Then the socket is
    /// no longer watched, because it would be ready forever.
    private func markTerminated() -> Int32 {
        let number = zmq_errno()
        precondition(number == ETERM || number == EINTR, "zmq_poll: errno \(number)")
        guard number == ETERM else { return 0 }
        var count: Int32 = 0
        for index in items.indices {
            items[index].revents = 0
            guard index > 0 else { continue }
            var events: Int32 = 0
            var size = MemoryLayout<Int32>.size
            guard zmq_getsockopt(items[index].socket, ZMQ_EVENTS, &events, &size) != 0 else { continue }
            registrations[index - 1].isLast = true
            items[index].revents = Int16(ZMQ_POLLIN)
            count += 1
        }
        return count
    }
}
