// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WaymarkClient
import WaymarkLoad
import WaymarkProtocol

/// The mark of everything that a load test writes into a shared collection. It is the kind of the landmarks that the
/// test adds, and the source of the rows that it ingests. ``CleanBench`` finds all of them by this mark.
struct BenchMark: Hashable, Sendable {
    /// The paragraph about marks in the help of tests that write.
    static let explanation = """
        Before writing to services that it has not started itself, the test asks for confirmation (--yes: without \
        asking). At the end it prints the command that removes everything that it has written.
        """

    /// The random word of this test run, made by ``LoadName``.
    let run: String
    /// The options that the removal command needs, each with a space before it.
    var options = ""

    init() { run = LoadName.word() }

    /// - Parameter text: the mark with or without its prefix: `bench-k3x9q2` or `k3x9q2`.
    /// - Throws: an error for a text that is not the mark of any test.
    init(_ text: String) throws(BadValue) {
        run = text.hasPrefix(Self.prefix) ? String(text.dropFirst(Self.prefix.count)) : text
        guard LoadName.isWord(run) else {
            throw BadValue("a run is the six letters and digits that the test printed, such as k3x9q2.")
        }
    }

    private static let prefix = "bench-"

    /// The mark as the name of a kind or of a source.
    var name: String { Self.prefix + run }
    var removal: String { "waymark bench clean \(run)\(options)" }
}

protocol WritingBench: ServiceBench {
    var confirmation: ConfirmationOptions { get }
    /// Whether this test writes with the options that the person gave.
    var isWriting: Bool { get }
}

extension WritingBench {
    var isWriting: Bool { true }

    /// Asks the person for consent to write into a shared collection.
    ///
    /// - Returns: the mark of what the test will write; nil if the test leaves nothing behind, as in services that it
    ///   has started itself.
    func consent(_ surroundings: Surroundings) throws -> BenchMark? {
        guard isWriting, !target.embedded else { return nil }
        var mark = BenchMark()
        let (endpoint, service) = (try target.service.endpoint(surroundings), target.service)
        if let connect = service.connect { mark.options += " --connect \(Self.quoted(connect))" }
        // The removal must be done by the user who wrote: the user named on the command line, or the test's own user if
        // the person has no name.
        if let user = service.user {
            mark.options += " --as \(Self.quoted(user))"
        } else if try service.user(surroundings, isNeeded: false).isEmpty {
            mark.options += " --as \(BenchService.nobody)"
        }
        try confirmation.confirm(
            "The test adds landmarks to the collection at \(endpoint), which stay until \"\(mark.removal)\" removes "
                + "them. Continue?", surroundings)
        return mark
    }

    /// Quotes a word for a shell if necessary.
    private static func quoted(_ word: String) -> String {
        let isPlain = word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ":/._-".contains($0)) }
        return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}

/// Removes everything that a load test has written, by its ``BenchMark``.
struct CleanBench: WritingCommand {
    static let configuration = CommandConfiguration(
        commandName: "clean",
        abstract: "Remove the landmarks that a load test has written.",
        discussion: """
            A test that writes prints the name of its run at the end. The landmarks that it added have the kind \
            bench-RUN, and the rows that it ingested have the source bench-RUN. Both are removed in steps: after an \
            interruption run the command again. Landmarks with people's notes are kept.

              waymark bench clean k3x9q2
            """)

    @Argument(ValueForm<BenchMark>(word: "run") { try BenchMark($0) }, "The run's name, as the test printed it.")
    var mark: BenchMark

    @OptionGroup var asking: AskOptions

    func run(in session: Session) async throws {
        let client = session.client
        var done = RemovedSource()
        try await done.removeAll(ofKind: mark.name, by: client)
        if try await client.sources().contains(where: { $0.source == mark.name }) {
            let rows = try await client.removeSource(mark.name)
            done.removed += rows.removed
            done.kept += rows.kept
        }
        guard done != RemovedSource() else {
            throw Failure(
                ErrorCode.notFound.name,
                "Nothing is left of the run \(mark.run): it was removed before, or it is in another collection.")
        }
        try session.print(done, of: "run", mark.run)
    }
}
