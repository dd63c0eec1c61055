// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ
internal import Glibc

/// The steps of an event loop's turn (iteration), and their state. Not Sendable: belongs to the event loop's thread.
final class Turns {
    private var registrations: [Registration] = []
    /// The event loop's own wake-up descriptor, followed by that of each registration.
    private var descriptors: [pollfd]
    /// Whether `descriptors` has to be rebuilt from `registrations` before the next wait.
    private var hasChanged = false
    private var timers = TimerQueue()
    private var waits: [LoopWait] = []
    private var batch: [Inbox.Work] = []
    /// Whether the event loop has ended. Anything added after that has no effect.
    private(set) var isOver = false

    private let wakeUp: WakeUp

    init(_ wakeUp: WakeUp) {
        self.wakeUp = wakeUp
        descriptors = [pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0)]
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
    ///
    /// `zmq_poll` asks each socket for its events, with a system call, twice in a turn that waits. Here only a socket
    /// is asked that was used since it was last asked, or whose descriptor is readable. Any other socket has no events:
    /// its events change only by commands of libzmq's other threads, and its descriptor is readable while there are
    /// any.
    func wait(isIdle: Bool) {
        if hasChanged { collectDescriptors() }
        let isReady = askUsed()
        let timeout = isIdle && !isReady ? timers.millisecondsToNext : 0
        var count: Int32
        repeat {
            count = descriptors.withUnsafeMutableBufferPointer {
                poll($0.baseAddress, nfds_t($0.count), Int32(timeout))
            }
            // An interrupted wait may end early, because a turn with nothing to do is harmless.
        } while count < 0 && errno == EINTR && timeout < 0
        guard count > 0 else { return }
        if descriptors[0].revents != 0 { wakeUp.clear() }
        for (registration, descriptor) in zip(registrations, descriptors.dropFirst())
        where descriptor.revents != 0 && registration.isActive {
            registration.ask()
        }
    }

    /// Asks the sockets that were used for their events, and returns whether one has any.
    private func askUsed() -> Bool {
        var isReady = false
        for registration in registrations where registration.shared.isUsed && registration.isActive {
            registration.ask()
            if registration.found != 0 { isReady = true }
        }
        for registration in registrations { registration.shared.isUsed = false }
        return isReady
    }

    /// Calls the handlers of the ready sockets. A handler may cancel or add any watch.
    func callHandlers() {
        for registration in registrations where registration.found != 0 { registration.call() }
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
        descriptors.removeSubrange(1...)
        timers.endAll()
    }

    private func collectDescriptors() {
        hasChanged = false
        registrations.removeAll { !$0.isActive }
        descriptors.removeSubrange(1...)
        for registration in registrations {
            descriptors.append(pollfd(fd: registration.shared.descriptor, events: Int16(POLLIN), revents: 0))
        }
    }
}
