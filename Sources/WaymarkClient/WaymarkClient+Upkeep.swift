// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
import WaymarkProtocol

/// A copy of the database that storage keeps ready for reading.
public struct BackupOffer: Sendable, Hashable {
    public let id: UUIDv7
    public let bytes: UInt64
    public let sha256: Data
    /// The position of the newest change in the copy.
    public let position: Position

    init?(_ wire: WireBackupFile) {
        guard let id = UUIDv7(bytes: wire.id), let position = try? Position(wire.position) else { return nil }
        (self.id, bytes, sha256, self.position) = (id, wire.bytes, wire.sha256, position)
    }
}

extension WaymarkClient {
    /// Returns the position of the last revision made before `time` (Unix milliseconds), and the floor, which is the
    /// oldest revision that the log keeps. If all kept revisions are later, the position is right before the floor.
    public func locate(before time: UInt64) async throws(ClientError) -> (position: Position, floor: UInt64) {
        try await ask(.with { $0.locate.at = time }, \.located) { found in
            (try? Position(found.position)).map { (position: $0, floor: found.floor) }
        }
    }

    /// Deletes the changes before a revision from the log; 0 deletes all except the newest change. The landmarks stay.
    ///
    /// - Returns: the oldest and the newest revision that the log now keeps.
    public func compact(
        below rev: UInt64, timeout: Duration? = nil
    ) async throws(ClientError) -> (floor: UInt64, head: UInt64) {
        try await ask(.with { $0.compact.below = rev }, \.compacted, timeout: timeout) { ($0.floor, $0.head) }
    }

    /// Asks storage to make a copy of its database. Storage keeps the copy for a minute after the last read.
    ///
    /// Storage goes on making the copy after a timeout, so call this again to wait for the same copy.
    public func beginBackup(timeout: Duration? = nil) async throws(ClientError) -> BackupOffer {
        try await ask(.with { $0.beginBackup = WireBeginBackup() }, \.backupFile, timeout: timeout) { BackupOffer($0) }
    }

    /// Reads the next bytes of the copy, from `offset` on. Reading at the end returns no bytes, and releases the copy.
    public func readBackup(_ offer: BackupOffer, offset: UInt64) async throws(ClientError) -> Data {
        try await ask(
            .with { ($0.readBackup.id, $0.readBackup.offset) = (offer.id.wire, offset) }, \.backupPiece,
            timeout: max(connection.options.timeout, .seconds(30))
        ) { $0.data }
    }
}
