// SPDX-License-Identifier: Apache-2.0

import EngineParts
import Landmarks
import WaymarkProtocol
import WaymarkTransport

/// The engine and its place: the service's loop, or a thread of its own that the loop does not wait for.
///
/// Used on the loop only. One batch is in progress at a time, and the loop gathers the next one meanwhile, so group
/// commit needs no timer. The thread gets the next batch before the last one's answers are written. The loop answers
/// and publishes a whole batch when it sees its end, so answers and changes leave in the order of revisions. Other work
/// (upkeep, accounts) takes its turn on the same thread, between two batches.
final class EngineExecutor {
    /// The engine's position and floor after the last completed job.
    struct State: Sendable {
        var position: Position
        var floor: UInt64

        init(_ engine: any StorageEngine) { (position, floor) = (engine.position, engine.upkeep.floor) }
    }

    /// The parts of an engine that other threads may use.
    struct Opened: Sendable {
        let reader: any StorageReader
        let index: SearchIndex
        let copier: any DatabaseCopying
        let control: EngineControl
        fileprivate let state: State

        init(_ engine: any StorageEngine) {
            (reader, index, copier) = (engine.reader, engine.index, engine.copier)
            (control, state) = (engine.control, State(engine))
        }
    }

    private enum Place {
        case loop(any StorageEngine)
        case thread(WriterThread)
    }

    private let opened: Opened
    private(set) var state: State
    private let place: Place

    var reader: any StorageReader { opened.reader }
    var index: SearchIndex { opened.index }
    var copier: any DatabaseCopying { opened.copier }
    var control: EngineControl { opened.control }
    var position: Position { state.position }
    var floor: UInt64 { state.floor }
    var condition: EngineCondition { control.conditionSeen }

    /// An engine that works on the loop: SQLite. On a thread its single writes would be slower; see the article Two
    /// engines.
    convenience init(onLoop engine: any StorageEngine) { self.init(Opened(engine), .loop(engine)) }

    convenience init(_ thread: WriterThread, _ opened: Opened) { self.init(opened, .thread(thread)) }

    private init(_ opened: Opened, _ place: Place) { (self.opened, state, self.place) = (opened, opened.state, place) }

    /// The engine if it works on the loop: its callers need not wait.
    var engineHere: (any StorageEngine)? {
        if case .loop(let engine) = place { engine } else { nil }
    }

    /// Runs a job on the writer's connection, between two batches, and waits for its end. Reads that can run beside
    /// others use ``reader`` instead.
    nonisolated(nonsending) func perform<Value: Sendable>(
        _ body: @escaping @Sendable (any StorageEngine) throws(EngineError) -> Value
    ) async throws(EngineError) -> Value {
        switch place {
        case .loop(let engine): return try performHere(engine, body)
        case .thread(let thread):
            let (result, new) = await thread.perform(body)
            if let new { advance(to: new) }
            return try result.get()
        }
    }

    func performHere<Value>(
        _ engine: any StorageEngine, _ body: (any StorageEngine) throws(EngineError) -> Value
    ) throws(EngineError) -> Value {
        defer { state = State(engine) }
        return try body(engine)
    }

    /// Advances only: the loop may see the ends of two jobs in another order than they ended.
    private func advance(to new: State) {
        state.position = max(state.position.rev, new.position.rev) == new.position.rev ? new.position : state.position
        state.floor = max(state.floor, new.floor)
    }

    nonisolated(nonsending) func close() async {
        switch place {
        case .loop(let engine): engine.close()
        case .thread(let thread): await thread.close()
        }
    }

    /// The refusal if storage has not reached the position that the request requires; nil if it has.
    func refusal(_ header: RequestHeader) -> ServiceError? {
        guard header.hasAtLeast else { return nil }
        guard let wanted = try? Position(header.atLeast), wanted.epoch == position.epoch else { return otherEpoch }
        guard wanted.rev <= position.rev else {
            return ifWriter(EngineError.futureRevision(floor: floor, head: position.rev).serviceError)
        }
        return nil
    }

    /// The refusal of a position of another epoch.
    var otherEpoch: ServiceError { ifWriter(.otherEpoch) }

    /// The given refusal; or superseded, if this storage was suspended and its successor may have committed more
    /// meanwhile.
    private func ifWriter(_ verdict: ServiceError) -> ServiceError {
        control.isSurelyWriter ? verdict : EngineError.superseded.serviceError
    }
}
