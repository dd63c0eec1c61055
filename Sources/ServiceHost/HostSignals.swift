// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Synchronization

/// Receives the signals of the process, from its initialiser on.
///
/// The first SIGTERM or SIGINT begins a drain. A second one ends the process at once with 128 plus the signal's number.
/// A drain that takes too long ends it with 1. Both use a queue of their own, so they still work when the loop or a
/// task hangs. The handlers are set explicitly because a process with pid 1 has no default actions.
final class HostSignals: Sendable {
    enum Event: Sendable {
        case stop(Int32)
        case reload
    }

    /// The received signals, for one listener.
    let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    private let queue = DispatchQueue(label: "waymark-signals", qos: .userInitiated)
    private let tell: @Sendable (String) -> Void
    private let isStopping = Atomic(false)
    private let drainNanoseconds = Atomic(Int(10_000_000_000))
    /// Keeps the sources alive. Nothing reads or writes the array after `init`, so it needs no synchronisation.
    nonisolated(unsafe) private let sources: [any DispatchSourceSignal]

    /// - Parameter tell: logs the last sentence of this process.
    init(tell: @escaping @Sendable (String) -> Void) {
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
        self.tell = tell
        // A log reader that goes away must not end the service.
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
        // From here on no signal is missed.
        registered.wait()
    }

    /// Sets the time limit of a drain; the default is 10 s.
    func allowDrain(_ time: Duration) {
        let (seconds, attoseconds) = time.components
        drainNanoseconds.store(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000), ordering: .relaxed)
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
