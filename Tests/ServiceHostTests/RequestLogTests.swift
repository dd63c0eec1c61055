// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import Logging
import ServiceHost
import SwiftProtobuf
import TestTurns
import Testing
import WaymarkProtocol
import WaymarkTransport
import ZeroMQ

@Suite("Requests in the log", .inShortTurn)
struct RequestLogTests {
    private static func key(_ sequence: UInt64) throws -> RequestKey {
        let client = try #require(UUIDv7(bytes: Data([1, 2, 3, 4, 5, 6, 0x70, 8, 0x80, 10, 11, 12, 13, 14, 15, 16])))
        return RequestKey(client: client, sequence: sequence)
    }

    @Test("at debug: who, what, how it ended and how long it took; above it: nothing")
    func lines() throws {
        let text = Locked("")
        let log = HostLog(service: "waymark-test", format: .json, level: .info) { line in text.withLock { $0 += line } }
        var requests = RequestLog(log.logger)
        requests.begin(try Self.key(1), .near)
        requests.end(try Self.key(1), "ok")
        #expect(text.withLock { $0 }.isEmpty)
        log.level = .debug
        requests.begin(try Self.key(2), .add)
        requests.end(
            try Self.key(2), RequestLog.result(of: WireReply(ServiceError(.storageFull, "Full.")).encoded))
        // What was begun unseen has no kind and no time.
        requests.end(try Self.key(1), RequestLog.result(of: WireReply.with { $0.done = WireDone() }.encoded))
        let lines = try text.withLock { $0 }.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(lines.count == 2)
        let first = try #require(lines.first)
        #expect(first["request"] as? String == "\(try Self.key(2).client).2" && first["kind"] as? String == "add")
        #expect(first["result"] as? String == ErrorCode.storageFull.name && first["us"] is NSNumber)
        #expect(lines.last?["result"] as? String == "ok" && lines.last?["kind"] == nil)
    }
}
