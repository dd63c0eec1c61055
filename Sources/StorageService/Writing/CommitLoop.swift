// SPDX-License-Identifier: Apache-2.0

import Logging
import ServiceHost
import StorageRules
import Support
import WaymarkTransport

/// Executes group commit, as ``CommitMachine`` decides. A batch has one transaction and one flush to the disk. Then all
/// its requests are answered, and its changes are published in the order of revisions.
final class CommitLoop {
    /// Callbacks to other components.
    struct Events {
        /// Called when accounts or keys have changed, before any request of the batch is answered. A client that is
        /// told that a key has ended can rely on it.
        var accounts: (AccountNews) -> Void
        /// Called when requests may be received again from the socket in which they waited.
        var receive: () -> Void
        /// Called with an error after which the service cannot go on.
        var end: (EngineError) -> Void
    }

    let executor: EngineExecutor
    private let home: Home
    private let replies: Replies
    let publisher: FeedPublisher
    /// Reads of the change log that wait for a newer change.
    let waiting: WaitingReads
    /// Must be set before the first write arrives.
    var events = Events(accounts: { _ in }, receive: {}, end: { _ in })
    private var machine: CommitMachine
    /// The writes that gather for the next batch.
    var pending = WriteBatch()
    /// The last batch and its result. It is kept from its commit until it is answered.
    private var ended: (batch: WriteBatch, result: Result<AppliedBatch, EngineError>, begun: ContinuousClock.Instant)?
    /// Reads whose answers wait for the end of the batch in progress.
    private var unsettled: [CheckedContinuation<Void, Never>] = []
    var counters = StorageCounters()
    var disk: DiskHealth

    init(
        _ executor: EngineExecutor, _ machine: CommitMachine, home: Home, replies: Replies, publisher: FeedPublisher,
        waiting: WaitingReads, disk: DiskHealth
    ) {
        (self.executor, self.machine, self.home, self.replies) = (executor, machine, home, replies)
        (self.publisher, self.waiting, self.disk) = (publisher, waiting, disk)
    }

    var isCommitting: Bool { machine.isCommitting }
    var isReceiving: Bool { machine.isReceiving }
    /// Whether no writes have gathered and no batch is in progress.
    var isIdle: Bool { !machine.isCommitting && pending.isEmpty }
    /// The number of reads that wait for the end of the batch in progress.
    var settling: Int { unsettled.count }

    /// Hands the gathered writes to the engine, unless a batch is in progress.
    func commit() { perform(machine.gathered(pending.count, bytes: pending.bytes)) }

    /// Waits for the end of the batch in progress, so that all changes that a read may have seen are published.
    nonisolated(nonsending) func settled() async {
        guard machine.isCommitting else { return }
        await withCheckedContinuation { unsettled.append($0) }
    }

    /// Commits a request that this service makes itself, together with the other waiting writes.
    nonisolated(nonsending) func commit(_ request: WriteRequest) async throws(EngineError) -> [UInt8] {
        let result = await withCheckedContinuation {
            (waiting: CheckedContinuation<Result<[UInt8], EngineError>, Never>) in
            pending.append(request, .inside { waiting.resume(returning: $0) })
            commit()
        }
        return try result.get()
    }

    private func perform(_ actions: [CommitMachine.Action]) {
        // The last batch and its reads are taken out first, because an engine on the event loop may end the next batch
        // while this one is being answered.
        let (last, reads) = (ended, unsettled)
        if !actions.isEmpty, actions != [.stopReceiving] { (ended, unsettled) = (nil, []) }
        for action in actions {
            switch action {
            case .apply: apply()
            case .finish: if let last { finish(last.batch, last.result, last.begun) }
            case .releaseReads: for read in reads { read.resume() }
            case .stopReceiving: replies.server?.stopReceiving()
            case .receive: events.receive()
            }
        }
    }

    private func apply() {
        var batch = WriteBatch()
        swap(&batch, &pending)
        let (requests, begun) = (batch.requests, ContinuousClock.now)
        guard let engine = executor.engineHere else {
            let handed = batch
            home.spawnNow {
                let result: Result<AppliedBatch, EngineError>
                do throws(EngineError) {
                    result = .success(
                        try await self.executor.perform { engine throws(EngineError) in try engine.apply(requests) })
                } catch {
                    result = .failure(error)
                }
                self.end(handed, result, begun)
            }
            return
        }
        let result = Result { () throws(EngineError) in
            try executor.performHere(engine) { engine throws(EngineError) in try engine.apply(requests) }
        }
        end(batch, result, begun)
        batch.removeAll()
        // The buffers of the ended batch are reused, unless new writes have already gathered in buffers of their own.
        if pending.isEmpty { swap(&batch, &pending) }
    }

    private func end(
        _ batch: WriteBatch, _ result: Result<AppliedBatch, EngineError>, _ begun: ContinuousClock.Instant
    ) {
        ended = (batch, result, begun)
        perform(machine.ended(gathered: pending.count))
    }

    /// Answers the requests of a durable batch, or refuses all requests of a failed batch.
    private func finish(
        _ batch: WriteBatch, _ result: Result<AppliedBatch, EngineError>, _ begun: ContinuousClock.Instant
    ) {
        switch result {
        case .success(let applied):
            let time = ContinuousClock.now - begun
            Failpoint.hit(.afterCommit)
            if let news = applied.accounts { events.accounts(news) }
            answer(batch.destinations, applied.replies)
            Failpoint.hit(.afterAnswer)
            publisher.together {
                for change in applied.changes {
                    publisher.publish(change)
                    if Failpoint.isArmed(.afterPublish) { publisher.flush() }
                    Failpoint.hit(.afterPublish)
                }
            }
            waiting.reached(executor.position.rev)
            counters.committed(batch.count, changes: applied.changes.count, in: time)
            disk.succeeded()
        case .failure(let error):
            counters.failedCommits += 1
            disk.failed(error)
            // A full disk is logged once, not for each batch. If a stop interrupts a commit, that is no error.
            home.logger.log(
                level: error == .full || error == .closed ? .debug : .error, "commit failed",
                metadata: [
                    "error": "\(error)", "commands": .stringConvertible(batch.count), "requests": "\(batch.firstKeys)",
                ])
            disk.notice(executor.condition, home.logger)
            for destination in batch.destinations {
                switch destination {
                case .peer(let address): replies.refuse(address, error.serviceError)
                case .inside(let body): body(.failure(error))
                }
            }
            if executor.condition == .superseded { events.end(.superseded) }
        }
    }

    /// Sends the answers to all requests of one commit together.
    private func answer(_ destinations: [WriteBatch.Destination], _ bodies: [[UInt8]]) {
        let header = ReplyHeader(position: executor.position)
        replies.together {
            for (destination, body) in zip(destinations, bodies) {
                switch destination {
                case .peer(let address): replies.answer(address, body, header)
                case .inside(let resume): resume(.success(body))
                }
            }
        }
    }
}
