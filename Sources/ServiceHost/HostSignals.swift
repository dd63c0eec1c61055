// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Synchronization

/// Receives the signals of the process as soon as it is initialized.
///
/// The first SIGTERM or SIGINT begins a drain. A second one of them ends the process at once, with status 128 plus the
/// signal's number. If the drain takes too long, the process ends with status 1. All this runs on a queue of its own,
/// so it works even if the event loop or a task hangs. Handlers are set because a process with pid 1 has no default
/// actions.
final class HostSignals: Sendable {
    enum Event: Sendable {
        case stop(Int32)
        case reload
    }

    /// The received signals. For one reader.
    let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    private let queue = DispatchQueue(label: "waymark-signals", qos: .userInitiated)
    private let tell: @Sendable (String) -> Void
    private let isStopping = Atomic(false)
    private let drainNanoseconds = Atomic(Int(10_000_000_000))
    /// Keeps the signal sources alive. Nothing reads or writes the array after `init`, so it needs no synchronization.
    nonisolated(unsafe) private let sources: [any DispatchSourceSignal]

    /// - Parameter tell: logs a sentence before the process is ended.
    init(tell: @escaping @Sendable (String) -> Void) {
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
        self.tell = tell
        // The service must not end when a reader of its log does.
        signal(SIGPIPE, SIG_IGN)
        let queue = queue
        sources = [SIGTERM, SIGINT, SIGHUP].map { DispatchSource.makeSignalSource(signal: $0, queue: queue) }
        let registered = DispatchGroup()
        for (source, number) in zip(sources, [SIGTERM, SIGINT, SIGHUP]) {
            source.setEventHandler { [weak self] in self?.received(number) }
            registered.enter()
            source.setRegistrationHandler { registered.leave() }
            source.activate()
        }
        // Once all sources are registered, no signal is missed.
        registered.wait()
    }

    /// Sets the maximum duration of a drain, which is 10 s by default.
    func allowDrain(_ time: Duration) {
        drainNanoseconds.store(Int(time / .nanoseconds(1)), ordering: .relaxed)
    }

    private func received(_ number: Int32) {
        if number == SIGHUP {
            continuation.yield(.reload)
            return
        }
        guard !isStopping.exchange(true, ordering: .relaxed) else {
            tell("Stopped at once by a second signal. Clients will send unfinished requests again.")
            _exit(128 + number)
        }
        let bound = drainNanoseconds.load(ordering: .relaxed)
        queue.asyncAfter(deadline: .now() + .nanoseconds(bound)) { [tell] in
            tell("The drain took longer than \(bound / 1_000_000) ms and was cut off.")
            _exit(1)
        }
        continuation.yield(.stop(number))
    }
}
