// SPDX-License-Identifier: Apache-2.0

import WaymarkLoad

/// Marks what a load test writes into a collection that others use: the kind of the landmarks that it adds, and the
/// source of the rows that it ingests. By it ``CleanBench`` finds all of it again.
///
/// Not the source of both, because an add has none. An ingest of one row instead would be another operation: storage
/// writes a row more, and it needs the permission to ingest, which most accounts lack.
struct BenchMark: Hashable, Sendable {
    /// For the help of tests that write.
    static let explanation = """
        In services that the test has not started itself it writes only after a question or with --yes. It says at the \
        end which command removes all that it has written.
        """

    /// A word of ``LoadName``.
    let run: String
    /// The options that the removal needs, each with a space before it.
    var options = ""

    init() { run = LoadName.word() }

    /// - Parameter text: `k3x9q2` or `bench-k3x9q2`.
    /// - Throws: for a text that no test could have named.
    init(_ text: String) throws(BadValue) {
        run = text.hasPrefix(Self.prefix) ? String(text.dropFirst(Self.prefix.count)) : text
        guard LoadName.isWord(run) else {
            throw BadValue("a run has six letters and digits, as the test has named it: k3x9q2.")
        }
    }

    private static let prefix = "bench-"

    /// The kind and the source.
    var name: String { Self.prefix + run }

    /// The command that removes everything with this mark.
    var removal: String { "waymark bench clean \(run)\(options)" }
}
