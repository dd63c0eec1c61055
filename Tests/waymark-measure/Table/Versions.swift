// SPDX-License-Identifier: Apache-2.0

import CSQLite
import WaymarkProtocol
import ZeroMQ

/// The versions of everything that is measured, by name.
enum Versions {
    static var here: [String: String] {
        var versions = [
            "Waymark": Product.version, "libzmq": Context.libraryVersion,
            "SQLite": String(cString: sqlite3_libversion()),
        ]
        versions["commit"] = line("git", "rev-parse", "--short=12", "HEAD")
        if line("git", "status", "--porcelain")?.isEmpty == false { versions["commit"]? += " and changes" }
        versions["Swift"] = line("swift", "--version")?.split(separator: " ").drop { $0 != "version" }.dropFirst().first
            .map(String.init)
        versions["GeographicLib"] =
            line("GeodSolve", "--version")
            .flatMap { $0.split(separator: " ").last.map(String.init) } ?? package("libgeographiclib-dev")
        return versions
    }

    /// The version of a Debian package; nil if unknown.
    static func package(_ name: String) -> String? { line("dpkg-query", "-W", "-f", "${Version}", name) }

    private static func line(_ name: String, _ arguments: String...) -> String? {
        guard let program = try? Tools.find(name), let text = try? Tools.output([program] + arguments) else {
            return nil
        }
        return text.split(separator: "\n").first.map(String.init) ?? ""
    }
}
