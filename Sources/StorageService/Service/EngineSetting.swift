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
        return try server(text, isSynchronous: settings.string("replication") == "synchronous")
    }

    package static func server(_ text: String, isSynchronous: Bool = false) throws(Wrong) -> PostgreSQLServer {
        do throws(PostgreSQLError) {
            return PostgreSQLServer(url: try ConnectionURL(text), isSynchronous: isSynchronous)
        } catch {
            throw Wrong(description: "engine is neither sqlite nor a URL that can be used: \(error)")
        }
    }
}
