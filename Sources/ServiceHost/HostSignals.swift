// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Synchronization

/// What the process is told by signals, from the moment on that this is made.
///
/// The first SIGTERM or SIGINT begins a drain; a second one ends the process at once with 128 and the signal's number,
/// and so does a drain that takes too long, with 1. Both on a queue of its own, which needs neither the loop nor a task
/// that may be what hangs. The handlers are set by name: a process whose pid is 1 has no default actions.
final class HostSignals: Sendable {
    enum Event: Sendable {
        case stop(Int32)
        case reload
    }

    /// For one listener.
    let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    private let queue = DispatchQueue(label: "waymark-signals", qos: .userInitiated)
    private let tell: @Sendable (String) -> Void
    private let isStopping = Atomic(false)
    private let drainNanoseconds = Atomic(Int(10_000_000_000))
    /// Kept so that they live; nobody touches them after `init`.
    nonisolated(unsafe) private let sources: [any DispatchSourceSignal]

    /// - Parameter tell: takes a sentence that is the last one of this process.
    init(tell: @escaping @Sendable (String) -> Void) {
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
        self.tell = tell
        // Whoever reads the log may go: that is no reason to end.
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
        // No signal is missed once this returns.
        registered.wait()
    }

    /// How long a drain may take. 10 s until this is called.
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
            tell("Stopped at once by a second signal; what was not finished will be asked for again.")
            _exit(128 + number)
        }
        let bound = drainNanoseconds.load(ordering: .relaxed)
        queue.asyncAfter(deadline: .now() + .nanoseconds(bound)) { [tell] in
            tell("The drain has not ended within \(bound / 1_000_000) ms: stopped without its end.")
            _exit(1)
        }
        continuation.yield(.stop(number))
    }

    static func name(_ number: Int32) -> String {
        switch number {
        case SIGTERM: "SIGTERM"
        case SIGINT: "SIGINT"
        default: "signal \(number)"
        }
    }
}
