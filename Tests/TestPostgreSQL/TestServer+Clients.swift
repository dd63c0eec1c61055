// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

extension TestServer {
    /// On the Unix socket.
    public func url(user: String = TestServer.user, database: String = "postgres", parameters: String = "") -> String {
        let more = parameters.isEmpty ? "" : "&\(parameters)"
        return "postgresql://\(user)@/\(database)?host=\(directory)&port=\(port)\(more)"
    }

    /// On the loopback interface.
    public func tcpURL(
        user: String = TestServer.user, password: String = TestServer.password, database: String = "postgres"
    ) -> String {
        let encoded = password.utf8.map { String(format: "%%%02X", $0) }.joined()
        return "postgresql://\(user):\(encoded)@127.0.0.1:\(port)/\(database)"
    }

    /// What psql prints, for tests that do not want to trust their own client: no headers, `|` between columns.
    public func psql(_ sql: String) throws -> String {
        let output = directory + "/psql-\(UUID().uuidString)"
        defer { unlink(output) }
        let child = try Child(
            try Installation.words(
                "psql",
                [
                    "-h", directory, "-p", "\(port)", "-U", Self.user, "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1",
                    "-c", sql, "postgres",
                ]), output: output)
        let status = child.wait(.seconds(60))
        if status == nil { child.send(SIGKILL) }
        let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
        guard status == 0 else { throw TestServerError("psql: \(text)") }
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
}
