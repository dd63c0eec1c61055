// SPDX-License-Identifier: Apache-2.0

import EngineParts
import FoundationEssentials
import Landmarks
import Logging
import ServiceHost
import SwiftProtobuf
import WaymarkProtocol
import WaymarkTransport

/// Makes copies of the database for clients to read, one at a time.
final class Backups {
    private let home: Home
    private let copier: any DatabaseCopying
    private var shelf = BackupShelf()
    /// The number of copies made since the start.
    private(set) var count: UInt64 = 0

    init(home: Home, copier: any DatabaseCopying, _ handlers: ReadHandlers) {
        (self.home, self.copier) = (home, copier)
        handlers.on(.beginBackup, .readBackup) { (command, header) throws(ServiceError) in
            if case .readBackup(let piece) = command {
                try await self.read(piece)
            } else {
                try await self.begin(header)
            }
        }
    }

    /// Deletes the copy if it is no longer read.
    func tend() { shelf.dropUnread(now: Monotonic.milliseconds) }

    /// Deletes the copy, even if a client is reading it.
    func close() { shelf = BackupShelf() }

    private nonisolated(nonsending) func begin(_ header: RequestHeader) async throws(ServiceError) -> [UInt8] {
        let key = header.key
        shelf.dropUnread(now: Monotonic.milliseconds)
        if let offer = shelf.taken(by: key, now: Monotonic.milliseconds) { return offer.reply }
        if !shelf.joined(by: key) {
            guard shelf.making == nil, shelf.offer == nil else { throw .backupBusy }
            shelf.making = BackupShelf.Making(task: Task { [copier] in try await copier.copy() }, keys: [key])
        }
        guard let task = shelf.making?.task else { throw .backupBusy }
        let result = await task.result.mapError { EngineError($0) }
        if let made = shelf.making, made.task == task {
            shelf.making = nil
            switch result {
            case .success(let copy):
                count += 1
                shelf.offer = BackupShelf.Offer(
                    id: UUIDv7.new(), copy: copy, keys: made.keys, used: Monotonic.milliseconds)
            case .failure(let error):
                home.logger.error("backup failed", metadata: ["error": "\(error)"])
            }
        }
        if case .failure(let error) = result { throw error.serviceError }
        guard let offer = shelf.taken(by: key, now: Monotonic.milliseconds) else { throw .noBackup }
        return offer.reply
    }

    /// Reads a piece of the copy. A request for a piece after the end gets an empty piece and deletes the copy.
    private nonisolated(nonsending) func read(_ request: WireReadBackup) async throws(ServiceError) -> [UInt8] {
        let id = UUIDv7(bytes: request.id)
        if shelf.hasReleased(id, offset: request.offset) { return Self.reply(Data()) }
        guard let offer = shelf.offer, offer.id == id else { throw .noBackup }
        shelf.offer?.isRead = true
        shelf.offer?.used = Monotonic.milliseconds
        if request.offset >= offer.copy.bytes { shelf.release() }
        let copy = offer.copy
        let piece = await Task.detached {
            Result { () throws(EngineError) in try copy.read(at: request.offset, count: WaymarkProtocol.pageBytes) }
        }.value
        return Self.reply(try piece.mapError(\.serviceError).get())
    }

    private static func reply(_ piece: Data) -> [UInt8] {
        WireReply.with { $0.backupPiece = .with { $0.data = piece } }.encoded
    }
}

extension BackupShelf.Offer {
    fileprivate var reply: [UInt8] {
        WireReply.with {
            $0.backupFile = .with {
                ($0.id, $0.bytes) = (id.wire, copy.bytes)
                ($0.sha256, $0.position) = (copy.sha256, copy.position.wire)
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
