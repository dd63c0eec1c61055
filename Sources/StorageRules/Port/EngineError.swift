// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// The errors of an engine, the same for every database. A closed set.
package enum EngineError: Error, Hashable, Sendable, CustomStringConvertible {
    // Errors while the engine starts.
    /// - Parameter reason: a participle that completes "cannot be", then the operating system's error.
    case unusableDirectory(path: String, reason: String)
    case locked(directory: String, pid: Int32?)
    /// - Parameters:
    ///   - found: the first migration in the database that this release does not know.
    ///   - known: the newest migration that this release knows.
    case newerSchema(path: String, found: String, known: String)
    /// The database has a schema from before 0.1.0.
    case beforeFirstRelease(path: String)
    /// The database has an older schema, and copying it before the upgrade failed.
    case noUpgradeBackup(path: String, reason: String)
    case foreignFile(path: String)
    /// The disk is full, and the engine must write something when it starts.
    case noRoom(place: String)
    case corrupted(String)
    /// The database server is set up in a way that makes it unsafe to use.
    case unfitServer(String)

    // Errors at any time.
    case full
    case io(String)
    /// The database server does not answer.
    case unreachable(String)
    /// Another storage has taken over the database.
    case superseded
    /// The answer to a COMMIT was lost, and this process can no longer find out whether the transaction was committed.
    case undecided
    case closed

    // Errors that answer a read.
    case notFound
    case otherHistory
    case compacted(floor: UInt64, head: UInt64)
    case futureRevision(floor: UInt64, head: UInt64)
    case notYet(reached: UInt64)
    /// The search would take too long.
    case tooCostly

    /// One sentence for people: the problem and the remedy.
    package var description: String {
        switch self {
        case .unusableDirectory(let path, let reason):
            "The data directory \(path) cannot be \(reason): name another one, or let this user write there."
        case .locked(let directory, let pid):
            "The data directory \(directory) is in use by another process\(pid.map { " (pid \($0))" } ?? ""): "
                + "stop it, or name another directory."
        case .newerSchema(let path, let found, let known):
            "\(path) was written by a newer release of Waymark (its schema has \"\(found)\", this release "
                + "\(Product.version) knows up to \"\(known)\"): start that release, or name another directory."
        case .beforeFirstRelease(let path):
            "\(path) was made by a program from before 0.1.0, the first release: start that program on it once more, save "
                + "its landmarks with \"waymark list --all -o json\", and give them to \"waymark ingest\" of this one."
        case .noUpgradeBackup(let path, let reason):
            "\(path) is of an earlier release and cannot be copied before it is brought up to date (\(reason)): make "
                + "room, or set upgrade.backup to false to go on without a copy."
        case .noRoom(let place):
            "The disk of \(place) is full, and storage has to write there before it can read: make room, then start it "
                + "again."
        case .foreignFile(let path): "\(path) is not a database of Waymark: name another directory."
        case .corrupted(let what): "The database is damaged (\(what)): restore a backup."
        case .unfitServer(let why): "The PostgreSQL server cannot be used: \(why)."
        case .unreachable(let why): "The database is not reachable (\(why)): send the same request again later."
        case .superseded:
            "Another storage has taken the database over: send the same request to that one."
        case .undecided: "Storage does not know whether the request was done: send the same request again."
        case .full: "The disk is full: make room, then send the same request again. Reads go on."
        case .io(let what): "The database cannot be used (\(what)): check the disk, then send the same request again."
        case .closed: "Storage is stopping: send the same request again."
        case .notFound: "There is no landmark with this id."
        case .otherHistory: "The position is from another history: forget it and begin with a snapshot."
        case .compacted(let floor, let head):
            "These changes are no longer kept (the log has \(floor) to \(head)): take a snapshot."
        case .futureRevision(_, let head):
            "That revision does not exist yet (the newest is \(head)): the position is not from this history."
        case .notYet(let reached):
            "The text search has only reached revision \(reached): send the same request again."
        case .tooCostly: "The search takes too long: search for fewer or longer words."
        }
    }

    /// The error that the protocol reports to clients. Only this property maps engine errors to error codes.
    package var serviceError: ServiceError {
        switch self {
        case .full: ServiceError(.storageFull, description, retryAfter: 1_000)
        case .closed, .unreachable, .superseded, .undecided: ServiceError(.unavailable, description, retryAfter: 1_000)
        case .notFound: ServiceError(.notFound, description)
        case .otherHistory: ServiceError(.epochChanged, description)
        case .compacted(let floor, let head): ServiceError(.compacted, description, floor: floor, head: head)
        case .futureRevision(let floor, let head):
            ServiceError(.futureRevision, description, floor: floor, head: head)
        case .notYet: ServiceError(.notYet, description, retryAfter: 100)
        case .tooCostly: ServiceError(.tooLarge, description)
        case .io, .corrupted, .unusableDirectory, .locked, .newerSchema, .beforeFirstRelease, .noUpgradeBackup,
            .foreignFile,
            .noRoom, .unfitServer:
            ServiceError(.internal, description)
        }
    }
}
