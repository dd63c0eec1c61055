// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Ingest
import ZeroMQ

/// Ends an ingest that a person interrupts. The rows sent so far stay, and the next ingest need not wait for the lease.
final class IngestEnding: Sendable {
    private struct State {
        var hasLease = false
        var done = 0
        var all: Int?
        var isDone = false
    }

    private let session: Session
    private let source: SourceDefinition
    private let bar: ProgressBar
    private let state = Locked(State())

    init(_ session: Session, _ source: SourceDefinition, _ bar: ProgressBar) {
        (self.session, self.source, self.bar) = (session, source, bar)
    }

    /// Records that this ingest holds the lease and may have rows in flight.
    func begin() { state.withLock { $0.hasLease = true } }

    func count(_ done: Int, of all: Int) {
        state.withLock { ($0.done, $0.all) = (done, all) }
    }

    func done() { state.withLock { $0.isDone = true } }

    /// Reports the interruption. Called on the thread of the signal, before the process ends.
    func tell() {
        let now = state.withLock { $0 }
        guard !now.isDone else { return }
        bar.clear()
        let sentence = Self.sentence(now.hasLease, now.done, of: now.all)
        session.output.notice("interrupted", sentence)
        guard now.hasLease else { return }
        // Without its return, the lease would block other ingests of the source for up to a minute.
        let isOver = DispatchSemaphore(value: 0)
        Task.detached { [session, source] in
            _ = try? await session.client.send(source.failed("The ingest was interrupted. \(sentence)"))
            isOver.signal()
        }
        _ = isOver.wait(timeout: .now() + 2)
    }

    static func sentence(_ hasBegun: Bool, _ done: Int, of all: Int?) -> String {
        guard hasBegun else { return "Nothing was changed." }
        guard let all else { return "The first rows may be stored: ingest again to add the rest." }
        let figures = "\(Figures.count(UInt64(done))) of \(Figures.count(UInt64(all))) rows"
        return "At least \(figures) are stored: ingest again to add the rest."
    }
}
