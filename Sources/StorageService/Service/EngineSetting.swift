// SPDX-License-Identifier: Apache-2.0

import PostgreSQL
package import Settings
import StorageOnPostgreSQL

/// Reads the settings `engine` and `replication`.
package enum EngineSetting {
    /// Returns the database server of the settings; nil if the engine is SQLite.
    /// - Throws: `Unusable`, which does not show the URL's password.
    static func server(_ settings: Settings) throws(Unusable) -> PostgreSQLServer? {
        let text = settings.string("engine")
        guard text != "sqlite" else { return nil }
        if case .flag(let flag) = settings.origin(of: "engine") { try check(text, of: flag) }
        return try server(text, isSynchronous: settings.string("replication") == "synchronous")
    }

    /// Refuses a URL with a password, because everybody on this machine can read a program's arguments.
    ///
    /// - Throws: `Unusable` if the URL has a password.
    package static func check(_ text: String, of flag: String) throws(Unusable) {
        guard (try? ConnectionURL(text))?.hasPassword == true else { return }
        throw Unusable(
            "\(flag) has a password, which everybody on this machine can read: leave it out, and set PGPASSWORD, "
                + "or name a file with passfile=, or use ~/.pgpass.")
    }

    package static func server(_ text: String, isSynchronous: Bool = false) throws(Unusable) -> PostgreSQLServer {
        do throws(PostgreSQLError) {
            return PostgreSQLServer(url: try ConnectionURL(text), isSynchronous: isSynchronous)
        } catch {
            throw Unusable("engine is neither sqlite nor a URL that can be used: \(error)")
        }
    }
}
