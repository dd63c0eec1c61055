// SPDX-License-Identifier: Apache-2.0

import LoadTest

/// A closed loop over HTTP/1.1: connections to 127.0.0.1 that stay open, each with one request under way. One thread
/// serves them with `poll`.
struct HTTPLoad: Sendable {
    var port: UInt16
    /// The status of an answer that counts as done; others are failures, by their number.
    var status: Int
    /// Makes the request of a number from 1.
    var request: @Sendable (UInt64) -> [UInt8]

    /// - Parameter shape: a closed loop, whose window is the number of connections.
    /// - Throws: ``HTTPLoadError``, also for an answer that cannot be read.
    func run(_ shape: LoadShape, _ watch: LoadWatch) async throws -> LoadResult {
        try await LoadThread.run {
            guard case .closed(let window) = shape.loop else { throw HTTPLoadError.cannotConnect }
            let run = HTTPRun(self, shape, watch)
            defer { run.close() }
            return try run.run(connections: window)
        }
    }

    static func get(_ path: String, port: UInt16) -> [UInt8] {
        Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n".utf8)
    }

    static func post(_ path: String, json: String, user: String, port: UInt16) -> [UInt8] {
        Array(
            """
            POST \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Type: application/json\r\n\
            Waymark-User: \(user)\r\nContent-Length: \(json.utf8.count)\r\n\r\n\(json)
            """.utf8)
    }
}
