// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import WaymarkClient
import WaymarkJSON

struct BackupCommand: AskingCommand {
    static let configuration = CommandConfiguration(
        leaf: "backup",
        abstract: "Write a copy of the whole database into a file, while storage runs.",
        discussion: """
            The copy is the state at one revision: landmarks, notes, changes, sources. The file gets its name only \
            after the copy was verified. "waymark restore" puts it back.

              waymark backup monday.waymark
              waymark backup monday.waymark --force -o json | jq .rev
              waymark backup - | ssh elsewhere 'cat > monday.waymark'

            With - the copy goes to stdout while it arrives: only exit code 0 at the end says that it is complete.
            """)

    @Argument(.file, "The file to write; - for stdout.")
    var file: String

    @Flag(help: "Replace the file if there is one.")
    var force = false

    @OptionGroup var asking: AskOptions

    func run(in session: Session) async throws {
        let surroundings = Surroundings.current
        let bar = ProgressBar(session.output, surroundings)
        defer { bar.clear() }
        let target = try target(surroundings, bar)
        let offer = try await begin(session, bar)
        var offset: UInt64 = 0
        while offset < offer.bytes {
            let piece = try await session.client.readBackup(offer, offset: offset)
            if piece.isEmpty { break }
            try target.append(piece)
            offset += UInt64(piece.count)
            let label = "\(Figures.bytes(offset)) of \(Figures.bytes(offer.bytes))"
            bar.show(label, (Double(offset), Double(offer.bytes)))
        }
        // Reading at the end tells storage that the copy was received. Otherwise storage would keep it for a minute.
        _ = try? await session.client.readBackup(offer, offset: offer.bytes)
        try target.finish(bytes: offer.bytes, sha256: offer.sha256)
        bar.clear()
        try tell(offer, session.output)
    }

    private var isStream: Bool { file == "-" }

    private func target(_ surroundings: Surroundings, _ bar: ProgressBar) throws -> BackupDraft {
        if isStream {
            guard surroundings.outWidth == nil else {
                throw Failure.usage(
                    "A database cannot be printed on a terminal: name a file, or use a pipe, as in "
                        + "\"waymark backup - | gzip > monday.gz\".")
            }
            return BackupDraft(passingOnTo: surroundings.out)
        }
        let draft = BackupDraft.draft(of: file)
        if surroundings.ownsProcess {
            Signals.endTheProcess(others: [SIGHUP])
            Signals.beforeTheEnd {
                bar.clear()
                unlink(draft)
            }
        }
        return try BackupDraft(file, replaces: force, as: draft)
    }

    /// Asks storage to make a copy, and repeats the request until the copy is made, because that may take longer than
    /// the time limit of one request. Repeating also reports a refusal at once, and shows the person that the command
    /// is still working.
    private func begin(_ session: Session, _ bar: ProgressBar) async throws -> BackupOffer {
        let began = ContinuousClock.now
        func show() {
            let time = UInt64(max(.zero, .now - began) / .milliseconds(1))
            bar.show("storage makes a copy, \(Figures.duration(time))")
        }
        show()
        // Only storage can answer this request, so the command notices sooner if storage cannot be reached.
        _ = try await session.client.locate(before: 0)
        while true {
            let left = connection.timeout.map { $0 - (.now - began) }
            do throws(ClientError) {
                return try await session.client.beginBackup(timeout: max(.zero, min(left ?? Self.piece, Self.piece)))
            } catch {
                let isBusy = error.refusal?.code == .busy
                guard error.isTimeout || isBusy, left.map({ $0 > Self.piece }) ?? true else { throw error }
                if isBusy { try await Task.sleep(for: Self.piece) }
                show()
            }
        }
    }

    private static let piece = Duration.seconds(1)

    private func tell(_ offer: BackupOffer, _ output: Output) throws {
        let text =
            "\(Escaping.visible(isStream ? "stdout" : file)): revision \(offer.position.rev) of epoch "
            + "\(offer.position.epoch), \(Figures.bytes(offer.bytes))"
        func write(to writer: inout JSONWriter) {
            writer.field("file", isStream ? nil : file)
            writer.field("bytes", offer.bytes)
            writer.field("sha256", offer.sha256.hexadecimal)
            writer.field("epoch", offer.position.epoch.description)
            writer.field("rev", offer.position.rev)
        }
        if isStream { return output.notice("backup", text) { write(to: &$0) } }
        try output.result(text) { write(to: &$0) }
    }
}
