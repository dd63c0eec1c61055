// SPDX-License-Identifier: Apache-2.0

import Landmarks
import Logging
import PostgreSQL
import TestPostgreSQL

@testable import EngineParts
@testable import StorageOnPostgreSQL
@testable import StorageService

extension TestedEngine {
    /// A database of a test's own.
    static func newServer() throws -> PostgreSQLServer { try EngineSetting.server(newURL()) }

    /// The same server, as another user, who does not see those databases.
    static func server(user: String) throws -> PostgreSQLServer { try EngineSetting.server(url(user: user)) }
}

extension PostgreSQLEngine {
    static func opened(
        _ server: PostgreSQLServer, directory: String? = nil, run: UUIDv7 = UUIDv7.new(),
        tuning: EngineTuning = EngineTuning()
    ) throws -> PostgreSQLEngine {
        try PostgreSQLEngine(
            server, directory: directory, run: run, tuning: tuning, control: EngineControl(), logger: .silent)
    }
}
