// SPDX-License-Identifier: Apache-2.0

import EngineParts
import Landmarks
import Logging
import PostgreSQL

/// The writer's connection to the server. A lost connection is replaced unless another storage has taken over.
final class WriterSession: UpkeepDatabase {
    /// The batch was not committed, and cannot be committed any more.
    struct NotCommitted: Error {}

    let server: PostgreSQLServer
    let run: UUIDv7
    let control: EngineControl
    private let uptime: @Sendable () -> Duration
    private let logger: Logger
    var connection: Connection
    /// The term in which ``connection`` may write.
    private(set) var term: WriterTerm
    /// Whether this connection has the advisory lock, for which other storages wait.
    private(set) var holdsLock: Bool
    private(set) var isClosed = false
    private var isSuperseded = false
    /// When the disk was last found full, as the time since the machine started; nil if it is not known to be full.
    private var metFullDisk: Duration?

    /// - Parameter taken: the connection that has become the writer's, with its term.
    init(
        _ server: PostgreSQLServer, _ taken: PostgreSQLServer.Taken, run: UUIDv7, control: EngineControl,
        uptime: @escaping @Sendable () -> Duration, logger: Logger
    ) {
        (self.server, self.run, self.control, self.uptime, self.logger) = (server, run, control, uptime, logger)
        (connection, term, holdsLock) = (taken.connection, taken.term, taken.holdsLock)
    }

    /// Closes the connection. This releases the lock, so that a waiting storage takes over at once.
    func close() {
        isClosed = true
        connection.close()
    }

    /// Throws an error if this storage may not write any more, or cannot write at present.
    func admit() throws(EngineError) {
        guard !isClosed else { throw .closed }
        guard !isSuperseded else { throw .superseded }
        if let met = metFullDisk, uptime() - met < .seconds(1) { throw .full }
        guard connection.isClosed else { return }
        do { try reconnect(untilStopped: false) } catch { throw failed(error) }
    }

    /// Opens a new connection and increases the term, so that the lost connection cannot commit anything later.
    ///
    /// - Parameter untilStopped: whether to try until it succeeds or the service ends. Otherwise tries once.
    private func reconnect(untilStopped: Bool) throws {
        while true {
            guard !control.isInterrupted else { throw EngineError.closed }
            do {
                let renewed = try server.renew(term, run: run)
                (connection, term, holdsLock) = (renewed.connection, renewed.term, renewed.holdsLock)
                logger.notice("PostgreSQL is connected again", metadata: ["term": .stringConvertible(term.term)])
                return
            } catch {
                let error = EngineError(error)
                guard untilStopped, error != .superseded else { throw error }
                control.enter(.unreachable("\(error)"))
                control.sleep(.milliseconds(250))
            }
        }
    }

    /// Enters the condition to which an error leads, and returns the error as an error of the engine.
    func failed(_ error: any Error) -> EngineError {
        let error = EngineError(error)
        metFullDisk = error == .full ? uptime() : nil
        if error == .superseded { isSuperseded = true }
        if let condition = EngineCondition(error) { control.enter(condition) }
        return error
    }

    func recover() {
        guard !isClosed, !isSuperseded else { return }
        do {
            if connection.isClosed { try reconnect(untilStopped: false) }
            if !holdsLock { holdsLock = try WriterTerm.takesLock(connection) }
            // Each commit shows other storages that this storage is alive. If nothing is committed, a beat shows it.
            if !control.isConfirmed(within: .milliseconds(500)) || metFullDisk != nil {
                let begun = ContinuousClock.now
                try term.beat(connection)
                control.confirm(since: begun)
            }
            metFullDisk = nil
            control.enter(.writable)
        } catch {
            _ = failed(error)
        }
    }

    /// Sends a pipeline that ends with a COMMIT. If the answer is lost, connects again and finds out whether the
    /// transaction was committed.
    ///
    /// - Parameter sent: called before waiting for the answer.
    /// - Throws: ``NotCommitted``, ``EngineError/undecided``, or the error with which the server refused the pipeline.
    func commit(_ pipeline: Pipeline, to head: Head, sent: () -> Void) throws {
        let begun = ContinuousClock.now
        do throws(PostgreSQLError) {
            try connection.send(pipeline)
            sent()
            try connection.receiveSent()
        } catch {
            guard error.commitIsUnknown else { throw error }
            logger.warning(
                "the answer to a COMMIT is lost: checking whether it was done", metadata: ["error": "\(error)"])
            let before = term.commits
            do { try reconnect(untilStopped: true) } catch {
                // Either the service stops, or another storage has taken over, which may know the answers to this
                // batch.
                _ = failed(error)
                throw EngineError.undecided
            }
            guard term.commits == before + 1 else { throw NotCommitted() }
            return
        }
        control.confirm(since: begun)
        term.commits += 1
        term.head = head
    }

    // MARK: Upkeep

    /// Deleting fewer rows would be refused too, because for a second after a full disk nothing may be written.
    var fewerNeedLess: Bool { false }

    func look<Value>(_ body: (UpkeepTables) throws -> Value) throws(EngineError) -> Value {
        try admit()
        do { return try body(UpkeepTables(connection)) } catch { throw failed(error) }
    }

    func delete(_ body: (UpkeepTables) throws -> Void) throws(EngineError) {
        try admit()
        do {
            try connection.inTransaction {
                try term.require(connection)
                try body(UpkeepTables(connection))
            }
        } catch {
            throw failed(error)
        }
    }
}
