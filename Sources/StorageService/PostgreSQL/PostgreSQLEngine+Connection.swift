// SPDX-License-Identifier: Apache-2.0

import Logging
import PostgreSQL

extension PostgreSQLEngine {
    var term: WriterTerm {
        get { set.term }
        set { set.term = newValue }
    }

    /// - Throws: when nothing may be written, or can be for the moment.
    func admit() throws(EngineError) {
        guard !isClosed else { throw .closed }
        guard !isSuperseded else { throw .superseded }
        if let met = metFullDisk, tuning.uptime() - met < .seconds(1) { throw .full }
        guard set.connection.isClosed else { return }
        do { try reconnect(untilStopped: false) } catch { throw failed(EngineError(error)) }
    }

    /// Opens another connection and raises the term, so that whatever the lost one had sent cannot be committed any more.
    ///
    /// - Parameter untilStopped: tries again until it succeeds or the service ends. Else once.
    func reconnect(untilStopped: Bool) throws {
        while true {
            guard !remote.isInterrupted else { throw EngineError.closed }
            do {
                let renewed = try server.renew(term, run: run, logger: logger)
                (set.connection, term, holdsLock) = (renewed.connection, renewed.term, renewed.holdsLock)
                logger.notice("PostgreSQL is connected again", metadata: ["term": .stringConvertible(term.term)])
                return
            } catch {
                let error = EngineError(error)
                guard untilStopped, error != .superseded else { throw error }
                remote.enter(.unreachable("\(error)"))
                remote.sleep(.milliseconds(250))
            }
        }
    }

    func failed(_ error: EngineError) -> EngineError {
        metFullDisk = error == .full ? tuning.uptime() : nil
        switch error {
        case .superseded:
            isSuperseded = true
            remote.enter(.superseded)
        case .full: remote.enter(.full(room: nil, reserve: 0))
        case .unreachable(let why): remote.enter(.unreachable(why))
        case .io(let why): remote.enter(.failing(why))
        default: break
        }
        return error
    }

    func recover() {
        guard !isClosed, !isSuperseded else { return }
        do {
            if set.connection.isClosed { try reconnect(untilStopped: false) }
            if !holdsLock { holdsLock = try WriterTerm.takesLock(set.connection) }
            // Commits show others that this storage lives. Without any it says so.
            if !remote.isConfirmed(within: .milliseconds(500)) || metFullDisk != nil {
                let begun = ContinuousClock.now
                try term.beat(set.connection)
                remote.confirm(since: begun)
            }
            metFullDisk = nil
            remote.enter(.writable)
        } catch {
            _ = failed(EngineError(error))
        }
    }
}
