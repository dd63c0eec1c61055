// SPDX-License-Identifier: Apache-2.0

import WaymarkLoad

/// The mark of everything that a load test writes into a shared collection: the kind of the landmarks that it adds, and
/// the source of the rows that it ingests. ``CleanBench`` finds all of it by this mark.
///
/// The mark cannot be a source in both cases, because an added landmark has none. Ingesting one row instead would be
/// another operation: storage writes a row more, and the ingest needs a permission that most accounts lack.
struct BenchMark: Hashable, Sendable {
    /// The paragraph about marks in the help of tests that write.
    static let explanation = """
        Before writing to services that it has not started itself, the test asks for confirmation (--yes: without \
        asking). At the end it prints the command that removes everything that it has written.
        """

    /// A word of ``LoadName``.
    let run: String
    /// The options that the removal needs, each with a space before it.
    var options = ""

    init() { run = LoadName.word() }

    /// - Parameter text: `k3x9q2` or `bench-k3x9q2`.
    /// - Throws: an error for a text that no test could have used as a name.
    init(_ text: String) throws(BadValue) {
        run = text.hasPrefix(Self.prefix) ? String(text.dropFirst(Self.prefix.count)) : text
        guard LoadName.isWord(run) else {
            throw BadValue("a run is the six letters and digits that the test printed, such as k3x9q2.")
        }
    }

    private static let prefix = "bench-"

    /// The name of the kind and of the source.
    var name: String { Self.prefix + run }

    /// The command that removes everything with this mark.
    var removal: String { "waymark bench clean \(run)\(options)" }
}
