// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
public import Landmarks
import SwiftProtobuf
import WaymarkProtocol

/// A copy of the database that storage keeps ready for reading.
public struct BackupOffer: Sendable, Hashable {
    public let id: UUIDv7
    public let bytes: UInt64
    public let sha256: Data
    /// The position that the copy contains.
    public let position: Position
}

extension WaymarkClient {
    /// The last revision made before `time` (Unix milliseconds), and the oldest revision that is kept, called the floor.
    /// If everything that is kept was made later, the position is the one before the floor.
    public func locate(before time: UInt64) async throws(ClientError) -> (position: Position, floor: UInt64) {
        guard case .located(let found)? = try await send(.with { $0.locate = .with { $0.at = time } }).1.result,
            let position = try? Position(found.position)
        else { throw .unreadableAnswer("locate") }
        return (position, found.floor)
    }

    /// Deletes the changes below a revision from the log; 0 deletes all but the newest. The landmarks stay.
    ///
    /// - Returns: the oldest and the newest revision that are kept from now on.
    public func compact(
        below rev: UInt64, timeout: Duration? = nil
    ) async throws(ClientError) -> (floor: UInt64, head: UInt64) {
        let reply = try await send(.with { $0.compact = .with { $0.below = rev } }, timeout: timeout).1
        guard case .compacted(let kept)? = reply.result else { throw .unreadableAnswer("compact") }
        return (kept.floor, kept.head)
    }

    /// Asks storage to make a copy of its database. Storage keeps the copy for a minute after this client's last
    /// read.
    ///
    /// After a timeout the copy is still being made: call again to wait for the same copy.
    public func beginBackup(timeout: Duration? = nil) async throws(ClientError) -> BackupOffer {
        let reply = try await send(.with { $0.beginBackup = WireBeginBackup() }, timeout: timeout).1
        guard case .backupFile(let file)? = reply.result, let id = UUIDv7(bytes: file.id),
            let position = try? Position(file.position)
        else { throw .unreadableAnswer("begin_backup") }
        return BackupOffer(id: id, bytes: file.bytes, sha256: file.sha256, position: position)
    }

    /// Reads the next piece, from `offset` on. Reading at the end returns an empty piece and releases the copy.
    public func readBackup(_ offer: BackupOffer, offset: UInt64) async throws(ClientError) -> Data {
        let request = WireRequest.with {
            $0.readBackup = .with {
                $0.id = offer.id.wire
                $0.offset = offset
            }
        }
        guard
            case .backupPiece(let piece)? = try await send(request, timeout: max(options.timeout, .seconds(30))).1
                .result
        else {
            throw .unreadableAnswer("read_backup")
        }
        return piece.data
    }
}
