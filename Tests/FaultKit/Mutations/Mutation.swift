// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A deliberate defect of the services or of the client. The harness edits it into a copy of the sources, and the
/// validator must find it.
///
/// A single build holds all mutations, and each program switches on the mutation that `WAYMARK_MUTATION` names.
public struct Mutation: Sendable, Hashable, CustomStringConvertible {
    /// A replacement in a source file.
    public struct Edit: Sendable, Hashable {
        /// The path within the package.
        public let file: String
        /// Must occur exactly once in the file.
        public let text: String
        /// Replaces the text, and calls `isMutated(NAME)`, which is appended to each edited file.
        public let replacement: String

        init(_ file: String, _ text: String, _ replacement: String) {
            (self.file, self.text, self.replacement) = (file, text, replacement)
        }
    }

    public let name: String
    /// The validator, or the test's own check, must find at least one of these promises broken.
    public let breaks: Set<Promise>
    public let edits: [Edit]

    public var description: String { name }

    init(_ name: String, breaks: Set<Promise>, _ edits: [Edit]) {
        (self.name, self.breaks, self.edits) = (name, breaks, edits)
    }

    public static let all: [Mutation] = feed + storage

    /// The paths of the files that the mutations edit, sorted.
    public static var files: [String] { Set(all.flatMap(\.edits).map(\.file)).sorted() }

    /// The text of one source file with all mutations in it.
    ///
    /// - Throws: ``FaultError`` if an edit's text does not occur exactly once: the code has changed, or is edited
    ///   already.
    public static func mutated(_ source: String, of file: String) throws -> String {
        guard !source.contains(marker) else { throw FaultError("\(file) is mutated already") }
        var result = source
        for mutation in all {
            for edit in mutation.edits where edit.file == file {
                let count = source.components(separatedBy: edit.text).count - 1
                guard count == 1 else {
                    throw FaultError(
                        "Mutation \(mutation) needs this text exactly once in \(file), which has it \(count) times: "
                            + edit.text)
                }
                result = result.replacingOccurrences(of: edit.text, with: edit.replacement)
            }
        }
        return result + "\n" + marker
    }

    /// Edits all mutations into the package at `root`, or writes nothing if one of them cannot be made.
    ///
    /// - Throws: ``FaultError``, as ``mutated(_:of:)``, or the error of reading or writing a file.
    public static func apply(in root: URL) throws {
        let mutated = try files.map { file in
            let url = root.appending(path: file)
            return (url, try self.mutated(String(contentsOf: url, encoding: .utf8), of: file))
        }
        for (url, text) in mutated { try text.write(to: url, atomically: true, encoding: .utf8) }
    }

    /// Appended to each edited file.
    private static let marker = """
        import Glibc

        private let mutation = getenv("WAYMARK_MUTATION").map { String(cString: $0) }

        private func isMutated(_ name: String) -> Bool { mutation == name }

        """
}
