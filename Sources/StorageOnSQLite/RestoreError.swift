// SPDX-License-Identifier: Apache-2.0

import StorageRules

/// The reasons why a backup was not restored. A closed set. Nothing has changed then.
public enum RestoreError: Error, Hashable, Sendable, CustomStringConvertible {
    case unreadable(String)
    case notWaymark(String)
    /// The file, its first migration that this release does not know, and the newest migration that it knows.
    case newerSchema(String, found: String, known: String)
    case beforeFirstRelease(String)
    case damaged(String, String)
    case inUse(directory: String, pid: Int32?)
    case exists(String)
    case full
    case io(String)

    init(_ error: any Error, _ file: String) {
        if let error = error as? RestoreError {
            self = error
            return
        }
        switch EngineError(error) {
        case .locked(let directory, let pid): self = .inUse(directory: directory, pid: pid)
        case .newerSchema(_, let found, let known): self = .newerSchema(file, found: found, known: known)
        case .beforeFirstRelease: self = .beforeFirstRelease(file)
        case .foreignFile: self = .notWaymark(file)
        case .corrupted(let what): self = .damaged(file, what)
        case .full, .noRoom: self = .full
        case .io(let what): self = .io(what)
        case .unusableDirectory(let path, let reason): self = .io("\(path) cannot be \(reason)")
        case let other: self = .io("\(other)")
        }
    }

    /// One sentence that names the problem and what to do.
    public var description: String {
        switch self {
        case .unreadable(let file): "\(file) cannot be read: name the file that \"waymark backup\" made."
        case .notWaymark(let file):
            "\(file) is not a database of Waymark: name the file that \"waymark backup\" made."
        case .newerSchema(let file, let found, let known):
            "\(file) was written by a newer release of Waymark (its schema has \"\(found)\", this release knows up to "
                + "\"\(known)\"): restore it with that release."
        case .beforeFirstRelease(let file): EngineError.beforeFirstRelease(path: file).description
        case .damaged(let file, let what): "\(file) is damaged (\(what)): restore another backup."
        case .inUse(let directory, let pid):
            "Storage runs on \(directory)\(pid.map { " (pid \($0))" } ?? ""): stop it, then restore."
        case .exists(let path):
            "\(path) is a database already: --force replaces it, and keeps it under another name."
        case .full: "The disk is full: make room for one more copy of the database."
        case .io(let what): "The backup cannot be restored (\(what)): check the disk, then try again."
        }
    }
}
