// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Landmarks
import Logging
import Synchronization
import TestTurns
import Testing
import ZeroMQ

@testable import EngineParts
@testable import StorageOnSQLite
@testable import StorageRules
@testable import StorageService

/// SQLite on a thread of its own. After each batch it waits until the test lets it go on: the batch is durable, and the
/// service does not know it yet. The storage around it is the real one.
final class HeldEngine: StorageEngine {
    /// The test's side.
    final class Handle: Sendable {
        private let batches = Mutex<[[AnswerBook.Key]]>([])
        private let control = Mutex<EngineControl?>(nil)
        private let going = DispatchSemaphore(value: 0)
        private let isCutOff = Mutex(false)
        private let readersAreTaken = Mutex(false)
        private let beaten = Mutex(0)

        /// How many batches were made durable.
        var durable: Int { batches.withLock(\.count) }
        /// The keys of the writes in them, as text.
        fileprivate var writes: Set<String> { batches.withLock { Set($0.joined().map { "\($0)" }) } }

        func letGo() { going.signal() }

        /// The answer to the next COMMIT is lost, as PostgreSQL's may be.
        func cutOff() { isCutOff.withLock { $0 = true } }

        /// The database has not confirmed for long that this is its writer.
        func fallAsleep() { control.withLock { $0?.confirm(since: .now - .seconds(60)) } }

        /// All connections that read are taken, as those of a pool may be, or there are some again.
        func takeReaders(_ areTaken: Bool) { readersAreTaken.withLock { $0 = areTaken } }

        /// How often the writer has shown that it lives.
        var beats: Int { beaten.withLock(\.self) }

        fileprivate func beat() { beaten.withLock { $0 += 1 } }

        fileprivate func awaitReader() async throws { try await until { !readersAreTaken.withLock(\.self) } }

        fileprivate func open(_ control: EngineControl) { self.control.withLock { $0 = control } }

        fileprivate func hold(_ batch: [WriteRequest]) throws(EngineError) {
            batches.withLock { $0.append(batch.map(\.key)) }
            // Bounded, so that a test that has failed ends.
            _ = going.wait(timeout: .now() + 100)
            let isCutOff = isCutOff.withLock { isCutOff in
                defer { isCutOff = false }
                return isCutOff
            }
            if isCutOff { throw .undecided }
        }
    }

    private struct Readers: StorageReader {
        let reader: any StorageReader
        let handle: Handle
        var present: UUIDv7? { reader.present }

        func read<Value: Sendable>(
            _ body: @escaping @Sendable (ReadTables) throws -> Value
        ) async throws(EngineError) -> Value {
            do { try await handle.awaitReader() } catch { throw .unreachable("\(error)") }
            return try await reader.read(body)
        }
    }

    private let engine: SQLiteEngine
    private let handle: Handle

    init(_ directory: String, run: UUIDv7, _ handle: Handle) throws(EngineError) {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        engine = try SQLiteEngine(
            directory: directory, run: run, tuning: EngineTuning(), logger: logger)
        self.handle = handle
        handle.open(engine.control)
    }

    var position: Position { engine.position }
    var reader: any StorageReader { Readers(reader: engine.reader, handle: handle) }
    var index: SearchIndex { engine.index }
    var copier: any DatabaseCopying { engine.copier }
    var upkeep: EngineUpkeep { engine.upkeep }
    var control: EngineControl { engine.control }

    func apply(_ batch: [WriteRequest]) throws(EngineError) -> AppliedBatch {
        let applied = try engine.apply(batch)
        try handle.hold(batch)
        return applied
    }

    func recover() {
        handle.beat()
        engine.recover()
    }

    func close() { engine.close() }
}

extension StorageServer {
    /// Whether so many writes wait for the next batch, copies of earlier ones apart, and at least so many reads for the
    /// end of this one.
    func hasGathered(writes: Int, reads: Int, after engine: HeldEngine.Handle) -> Bool {
        guard let commits = running?.commits else { return false }
        let keys = Set(commits.pending.requests.map { "\($0.key)" })
        return keys.subtracting(engine.writes).count == writes && commits.settling >= reads
    }

    var isCommitting: Bool { running?.commits.isCommitting == true }

    /// How many changes were published; nil if storage does not run.
    var published: UInt64? { running?.commits.publisher.counters.published }

    func open(_ directory: String, _ handle: HeldEngine.Handle) {
        makeEngine = { [run] () throws(EngineError) in try HeldEngine(directory, run: run, handle) }
    }
}
