// SPDX-License-Identifier: Apache-2.0

import Foundation
import Monitoring
import TestTurns
import Testing

@testable import Monitoring
@testable import WebServer

/// Messages of HTTP/1 that are more, or less, than a request of HTTP/1.1.
@Suite(.inTurn)
struct HTTPVersionTests {
    private func watched() async throws -> Watched {
        let pages = MonitoringPages(
            turn: {}, problems: { [] }, collect: { [] }, patience: .seconds(60))
        return try await Watched(pages) {
            MonitoringListener(
                $0, pages: pages, logger: Watched.silent, limits: MonitoringListener.limits, listening: $1)
        }
    }

    @Test(arguments: ["", "Connection: keep-alive\r\n", "Expect: 100-continue\r\n"])
    func aClientOfTheOldVersionIsAnsweredInIt(fields: String) async throws {
        let watched = try await watched()
        let connection = try RawConnection(port: watched.port)
        connection.send("GET /health/live HTTP/1.0\r\n\(fields)\r\n")
        let answer = try #require(await connection.receiveAll())
        #expect(answer.hasPrefix("HTTP/1.0 200 ") && answer.hasSuffix("\r\n\r\nlive\n"), "\(answer)")
        #expect(answer.lowercased().firstRange(of: "connection: close") != nil)
        #expect(answer.lowercased().firstRange(of: "transfer-encoding") == nil)
        try await watched.stop()
    }

    @Test(arguments: ["GET /v1/search?q=S\u{e3}o HTTP/1.1\r\nHost: x\r\n\r\n", "SSH-2.0-OpenSSH\r\n\r\n"])
    func whatIsNoRequestIsAnsweredWithASentence(text: String) async throws {
        let watched = try await watched()
        let connection = try RawConnection(port: watched.port)
        connection.send(text)
        let answer = try #require(await connection.receiveAll())
        let parts = answer.split(separator: "\r\n\r\n", maxSplits: 1)
        #expect(answer.hasPrefix("HTTP/1.1 400 ") && parts.count == 2, "\(answer)")
        #expect(parts[0].lowercased().firstRange(of: "content-type: application/problem+json") != nil)
        let problem = try JSONSerialization.jsonObject(with: Data(parts[1].utf8)) as? [String: Any]
        #expect(problem?["code"] as? String == "bad_request" && problem?["status"] as? Int == 400)
        try await watched.stop()
    }
}
