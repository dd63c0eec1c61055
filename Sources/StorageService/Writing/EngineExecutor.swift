// SPDX-License-Identifier: Apache-2.0

import EngineParts
import Landmarks
import WaymarkProtocol
import WaymarkTransport

/// The engine, which works on the event loop or on a thread of its own. The event loop never waits for that thread.
///
/// Must be used on the event loop only. One batch is in progress at a time, and the next batch gathers meanwhile, so
/// group commit needs no timer. The thread gets the next batch before the answers to the last batch are sent. A whole
/// batch is answered and published when the event loop sees its end, so answers and changes are sent in the order of
/// revisions. Other jobs, such as upkeep and accounts, run on the same thread between two batches.
final class EngineExecutor {
    /// The engine's position and oldest kept revision after the last completed job.
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

    /// Makes an executor for an engine that works on the event loop, as SQLite does. On a thread of its own, SQLite's
    /// single writes would be slower; see the article Two engines.
    convenience init(onLoop engine: any StorageEngine) { self.init(Opened(engine), .loop(engine)) }

    convenience init(_ thread: WriterThread, _ opened: Opened) { self.init(opened, .thread(thread)) }

    private init(_ opened: Opened, _ place: Place) { (self.opened, state, self.place) = (opened, opened.state, place) }

    /// The engine if it works on the event loop, so that its callers need not wait; nil otherwise.
    var engineHere: (any StorageEngine)? {
        if case .loop(let engine) = place { engine } else { nil }
    }

    /// Runs a job on the writer's connection between two batches. Parallel reads use ``reader`` instead.
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

    /// Never goes back to an older state, because the event loop may see the ends of two jobs in the wrong order.
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

    /// Returns the refusal if storage has not reached the position that the request requires; nil if it has.
    func refusal(_ header: RequestHeader) -> ServiceError? {
        guard header.hasAtLeast else { return nil }
        guard let wanted = try? Position(header.atLeast), wanted.epoch == position.epoch else { return otherEpoch }
        guard wanted.rev <= position.rev else {
            return ifWriter(EngineError.futureRevision(floor: floor, head: position.rev).serviceError)
        }
        return nil
    }

    /// The refusal if the position of a request has another epoch than this storage.
    var otherEpoch: ServiceError { ifWriter(EngineError.otherHistory.serviceError) }

    /// Returns the given refusal. But if this storage was suspended, so that its successor may have committed more, the
    /// refusal says that another storage has taken over.
    private func ifWriter(_ verdict: ServiceError) -> ServiceError {
        control.isSurelyWriter ? verdict : EngineError.superseded.serviceError
    }
}
