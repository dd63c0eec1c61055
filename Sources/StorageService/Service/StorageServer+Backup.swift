// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks
import Logging
import SwiftProtobuf
import WaymarkProtocol
import WaymarkTransport

extension StorageServer {
    /// Makes a copy of the database for a client to read. There is one copy at a time.
    func beginBackup(_ header: RequestHeader) async throws(ServiceError) -> [UInt8] {
        guard let reader = lane?.reader else { throw EngineError.closed.serviceError }
        let key = header.key
        backups.dropUnread(now: Monotonic.milliseconds)
        if let offer = backups.taken(by: key, now: Monotonic.milliseconds) { return offer.reply }
        if !backups.joined(by: key) {
            guard backups.making == nil, backups.offer == nil else { throw .backupBusy }
            let task = Task { () -> Result<DatabaseCopy, EngineError> in
                do throws(EngineError) { return .success(try await reader.copy()) } catch { return .failure(error) }
            }
            backups.making = BackupShelf.Making(task: task, keys: [key])
        }
        guard let task = backups.making?.task else { throw .backupBusy }
        let result = await task.value
        if let made = backups.making, made.task == task {
            backups.making = nil
            switch result {
            case .success(let copy):
                counters.backups += 1
                backups.offer = BackupShelf.Offer(
                    id: SQLiteEngine.newID(), copy: copy, keys: made.keys, used: Monotonic.milliseconds)
            case .failure(let error):
                logger.error("backup failed", metadata: ["error": "\(error)"])
            }
        }
        if case .failure(let error) = result { throw error.serviceError }
        guard let offer = backups.taken(by: key, now: Monotonic.milliseconds) else { throw .noBackup }
        return offer.reply
    }

    /// Reads a piece of the copy. The empty piece after its end deletes the copy.
    func readBackup(_ request: WireReadBackup) async throws(ServiceError) -> [UInt8] {
        guard let id = UUIDv7(bytes: request.id), let offer = backups.offer, offer.id == id else { throw .noBackup }
        backups.offer?.isRead = true
        backups.offer?.used = Monotonic.milliseconds
        if request.offset >= offer.copy.bytes { backups.offer = nil }
        let copy = offer.copy
        let piece = await Task.detached { () -> Result<Data, EngineError> in
            do throws(EngineError) {
                return .success(try copy.read(at: request.offset, count: WaymarkProtocol.pageBytes))
            } catch { return .failure(error) }
        }.value
        switch piece {
        case .success(let data): return WireReply.with { $0.backupPiece = .with { $0.data = data } }.encoded
        case .failure(let error): throw error.serviceError
        }
    }
}

extension BackupShelf.Offer {
    fileprivate var reply: [UInt8] {
        WireReply.with {
            $0.backupFile = .with {
                $0.id = id.wire
                $0.bytes = copy.bytes
                $0.sha256 = copy.sha256
                $0.position = copy.position.wire
            }
        }.encoded
    }
}

extension ServiceError {
    fileprivate static let backupBusy = ServiceError(
        .busy, "Another backup is being made or read: try again when it is done.", retryAfter: 2_000)
    fileprivate static let noBackup = ServiceError(
        .notFound, "There is no backup with this id any more: begin another one.")
}
