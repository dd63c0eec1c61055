// SPDX-License-Identifier: Apache-2.0

import Accounts
import Landmarks
import Logging
import StorageRules
import SwiftProtobuf
import WaymarkProtocol
import WaymarkTransport
import ZeroMQ

/// Storage's own keys, and the keys that storage makes for query services at its first start.
struct StorageKeys {
    let access: StorageAccess
    let run: UUIDv7
    /// The location of the database, for log lines and errors.
    let place: String
    let logger: Logger

    func own() throws -> CurveKeyPair { try keys(in: access.keyFile, server: nil).keys }

    /// Returns the keys in a file. Makes the file if it does not exist.
    private func keys(in path: String, server: CurveKey?) throws -> KeyFile {
        let (file, isNew) = try KeyFile.kept(in: path, server: server)
        if isNew {
            logger.notice(
                "keys made", metadata: ["file": "\(path)", "fingerprint": "\(Fingerprint(file.keys.publicKey))"])
        }
        return file
    }

    /// Makes the key file for query services if it does not exist, and adds its key to the database if the key is
    /// unknown there. The key can be unknown if storage was killed between the two steps, or if a restored backup is
    /// older than the file. A key that has ended stays ended.
    nonisolated(nonsending) func handOut(_ own: CurveKeyPair, _ executor: EngineExecutor) async throws {
        let path = access.serviceFile
        var file = try keys(in: path, server: own.publicKey)
        if file.server != own.publicKey {
            // The file has another public key of storage, because it was made with another data directory.
            file.server = own.publicKey
            try file.write(path, replacing: true)
            logger.notice(
                "the key file for query services now holds storage's current key", metadata: ["file": "\(path)"])
        }
        let news = try await executor.reader.read { tables in try tables.accounts.news(since: 0) }
        guard !news.keys.contains(where: { $0.key == file.keys.publicKey }) else { return }
        var commands: [AccountCommand] = []
        if !news.accounts.contains(where: { $0.name == StorageAccess.serviceAccount }) {
            commands.append(.create(name: StorageAccess.serviceAccount, .service, nil))
        }
        let key = AccountCommand.NewKey(key: file.keys.publicKey, label: "made at the start")
        commands.append(.addKey(key, account: StorageAccess.serviceAccount))
        let writes = zip(UInt64(1)..., commands).map { sequence, command in
            WriteRequest(
                client: run, sequence: sequence, digest: RequestDigest(high: 0, low: 0), caller: .machine,
                deed: AuditDeed(deed: "start", origin: ""), now: WallClock.milliseconds, command: .account(command))
        }
        let applied: AppliedBatch
        do throws(EngineError) {
            applied = try await executor.perform { engine throws(EngineError) in try engine.apply(writes) }
        } catch {
            throw error == .full ? EngineError.noRoom(place: place) : error
        }
        for reply in applied.replies {
            if case .failure(let failure)? = try WireReply(serializedBytes: reply).result {
                throw ServiceError(failure)
            }
        }
    }
}
