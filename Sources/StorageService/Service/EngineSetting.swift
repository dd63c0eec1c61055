// SPDX-License-Identifier: Apache-2.0

import PostgreSQL
import Settings

/// The settings `engine` and `replication`.
package enum EngineSetting {
    package struct Wrong: Error, CustomStringConvertible {
        package let description: String
    }

    /// - Returns: nil for SQLite.
    /// - Throws: ``Wrong``, which does not show the URL's password.
    static func server(_ settings: Settings) throws(Wrong) -> PostgreSQLServer? {
        let text = settings.string("engine")
        guard text != "sqlite" else { return nil }
        if case .flag(let flag) = settings.origin(of: "engine") { try check(text, of: flag) }
        return try server(text, isSynchronous: settings.string("replication") == "synchronous")
    }

    /// - Throws: ``Wrong`` for a URL with a password: everybody on this machine can read a program's arguments.
    package static func check(_ text: String, of flag: String) throws(Wrong) {
        guard (try? ConnectionURL(text))?.hasPassword == true else { return }
        throw Wrong(
            description:
                "\(flag) has a password, which everybody on this machine can read: leave it out, and set PGPASSWORD, "
                + "or name a file with passfile=, or use ~/.pgpass.")
    }

    package static func server(_ text: String, isSynchronous: Bool = false) throws(Wrong) -> PostgreSQLServer {
        do throws(PostgreSQLError) {
            return PostgreSQLServer(url: try ConnectionURL(text), isSynchronous: isSynchronous)
        } catch {
            throw Wrong(description: "engine is neither sqlite nor a URL that can be used: \(error)")
        }
    }
}
