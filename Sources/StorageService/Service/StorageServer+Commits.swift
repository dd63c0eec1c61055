// SPDX-License-Identifier: Apache-2.0

import Accounts
import Failpoints
import Landmarks
import Logging
import WaymarkProtocol
import WaymarkTransport
import ZeroMQ

/// Group commit: what gathers while a batch is made durable is the next batch. One transaction and one flush; then all of
/// it is answered, and its changes are published in the order of revisions.
extension StorageServer {
    /// A commit that has succeeded.
    struct Commit {
        var commands: Int
        var changes: Int
        /// From the batch's arrival until it was durable.
        var time: Duration
    }

    /// Whether the next batch has room. Without it requests wait in the socket.
    var hasRoom: Bool { pending.count < options.batchCommands && pending.bytes < options.batchBytes }

    /// Hands over what has gathered, unless a batch is under way.
    func commit() {
        guard let lane, !isCommitting, !pending.isEmpty else { return }
        var batch = WriteBatch()
        swap(&batch, &pending)
        let begun = ContinuousClock.now
        guard let engine = lane.engineHere else {
            isCommitting = true
            let requests = batch.requests
            // A plain task would begin only when the loop's present job has ended.
            Task.immediate {
                let result: Result<AppliedBatch, EngineError>
                do throws(EngineError) {
                    result = .success(
                        try await lane.perform { engine throws(EngineError) in try engine.apply(requests) })
                } catch {
                    result = .failure(error)
                }
                isCommitting = false
                // These reads have ended before the next batch begins, so they have seen nothing of it.
                let waiting = unsettled
                unsettled = []
                // The engine works on the next batch while this one is answered and published.
                commit()
                finish(&batch, result, begun)
                for read in waiting { read.resume() }
                goOn()
            }
            return
        }
        let result: Result<AppliedBatch, EngineError>
        do throws(EngineError) {
            result = .success(
                try lane.performHere(engine) { engine throws(EngineError) in try engine.apply(batch.requests) })
        } catch {
            result = .failure(error)
        }
        finish(&batch, result, begun)
        batch.removeAll()
        // Its buffers are reused. What has gathered meanwhile, if anything, has its own.
        if pending.isEmpty { swap(&batch, &pending) }
    }

    /// Answers a batch that is durable, or refuses it if it was not done.
    private func finish(
        _ batch: inout WriteBatch, _ result: Result<AppliedBatch, EngineError>, _ begun: ContinuousClock.Instant
    ) {
        guard let lane, let publisher else { return }
        switch result {
        case .success(let applied):
            let time = ContinuousClock.now - begun
            Failpoint.hit(.afterCommit)
            // Before anything is answered: whoever hears that a key has ended can rely on it.
            if let news = applied.accounts { changed(news) }
            replies?.answer(batch.destinations, applied.replies, at: lane.position)
            Failpoint.hit(.afterAnswer)
            publisher.together {
                for change in applied.changes {
                    publisher.publish(change)
                    if Failpoint.isArmed(.afterPublish) { publisher.flush() }
                    Failpoint.hit(.afterPublish)
                }
            }
            waiting?.reached(lane.position.rev)
            counters.count(Commit(commands: batch.count, changes: applied.changes.count, time: time))
            disk.succeeded()
        case .failure(let error):
            counters.failedCommits += 1
            disk.failed(error)
            // A full disk is logged when it becomes full, not for each batch.
            logger.log(
                level: error == .full ? .debug : .error, "commit failed",
                metadata: [
                    "error": "\(error)", "commands": .stringConvertible(batch.count), "requests": "\(batch.firstKeys)",
                ])
            disk.notice(lane.condition, logger)
            for destination in batch.destinations {
                switch destination {
                case .peer(let address): refuse(address, error.serviceError)
                case .inside(let body): body(.failure(error))
                }
            }
            if lane.condition == .superseded { end(for: .superseded) }
        }
        batch.removeAll()
    }

    /// After a batch: requests that waited in the socket, and the next batch if there was none yet.
    private func goOn() {
        if isPaused {
            isPaused = false
            replies?.server.start(on: loop) { [weak self] in self?.assumeIsolated { _ = $0.drain() } }
        }
        drain()
        commit()
    }

    /// Waits until the changes that a read may have seen are published: those of the batch that is under way.
    func settled() async {
        guard isCommitting else { return }
        await withCheckedContinuation { unsettled.append($0) }
    }

    /// Commits a request of this service itself, together with others that wait.
    func commit(_ request: WriteRequest) async throws(EngineError) -> [UInt8] {
        guard lane != nil, publisher != nil else { throw .closed }
        let result = await withCheckedContinuation {
            (waiting: CheckedContinuation<Result<[UInt8], EngineError>, Never>) in
            pending.append(request, .inside { waiting.resume(returning: $0) })
            commit()
        }
        return try result.get()
    }
}
