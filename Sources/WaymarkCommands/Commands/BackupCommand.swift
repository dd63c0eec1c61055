// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Landmarks
import WaymarkClient
import WaymarkProtocol

struct BackupCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Write a copy of the whole database into a file, while storage runs.",
        discussion: """
            The copy is of one revision: landmarks, notes, changes, sources. It is checked when it has arrived, and takes \
            its name only then. "waymark restore" puts it back.

              waymark backup monday.waymark
              waymark backup monday.waymark --force -o json | jq .rev
            """)

    @Argument(help: ArgumentHelp("The file to write.", valueName: "file"))
    var file: String

    @Flag(help: "Replace the file if there is one.")
    var force = false

    @OptionGroup var printing: OutputOptions
    @OptionGroup var connection: ConnectionOptions

    func run(in session: Session) async throws {
        let draft = try BackupDraft(file, replaces: force)
        let bar = ProgressBar(session.output, Surroundings.current)
        defer { bar.clear() }
        let offer = try await begin(session)
        var offset: UInt64 = 0
        while offset < offer.bytes {
            let piece = try await session.client.readBackup(offer, offset: offset)
            if piece.isEmpty { break }
            try draft.append(piece)
            offset += UInt64(piece.count)
            bar.show(.receiving(offset, of: offer.bytes))
        }
        // Only lets go of the copy. Storage would do so by itself after a minute.
        _ = try? await session.client.readBackup(offer, offset: offer.bytes)
        try draft.finish(bytes: offer.bytes, sha256: offer.sha256)
        bar.clear()
        switch session.output.format {
        case .json:
            try session.output.object {
                $0.field("file", file)
                $0.field("bytes", offer.bytes)
                $0.field("sha256", offer.sha256.map { String(format: "%02x", $0) }.joined())
                $0.field("epoch", offer.position.epoch.description)
                $0.field("rev", offer.position.rev)
            }
        case .text:
            try session.output.line(
                "\(Escaping.visible(file)): revision \(offer.position.rev) of epoch \(offer.position.epoch), "
                    + Figures.bytes(offer.bytes))
        }
    }

    /// Making the copy may take longer than one request may wait; whether anybody is there is known sooner.
    private func begin(_ session: Session) async throws -> BackupOffer {
        let longest = Duration.milliseconds(WaymarkProtocol.timeoutMilliseconds)
        while true {
            // Storage has to answer this too.
            _ = try await session.client.locate(before: 0)
            do throws(ClientError) {
                return try await session.client.beginBackup(timeout: connection.timeout ?? longest)
            } catch {
                guard case .timedOut = error, connection.timeout == nil else { throw error }
            }
        }
    }
}
