// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import waymark_measure

@Suite("What subscribers of Redis receive", .inShortTurn)
struct RedisReceiptsTests {
    private static let size = 30

    private static func message(_ time: UInt64) -> [UInt8] {
        let text = String(time)
        let payload = String(repeating: "0", count: 20 - text.count) + text + String(repeating: "p", count: size - 20)
        return Array("*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$\(size)\r\n\(payload)\r\n".utf8)
    }

    @Test("Messages are found however the bytes are cut", arguments: [1, 7, 68, 69, 70, 1_000])
    func pieces(length: Int) throws {
        let bytes = (1...50).flatMap { Self.message(UInt64($0)) }
        var receipts = RedisReceipts(subscribers: 2, size: Self.size)
        for number in 0..<2 {
            for start in stride(from: 0, to: bytes.count, by: length) {
                try receipts.receive(bytes[start..<min(bytes.count, start + length)], of: number, at: 100)
            }
        }
        #expect(receipts.count == 100)
        #expect(receipts.latencies.at(0) == 50 && receipts.latencies.at(100) == 99)
    }

    @Test("What is no message is an error")
    func unreadable() throws {
        var receipts = RedisReceipts(subscribers: 1, size: Self.size)
        let message = Self.message(7)
        let odd = #expect(throws: TableError.self) {
            try receipts.receive([UInt8(ascii: "x")] + message.dropFirst(), of: 0, at: 9)
        }
        var other = RedisReceipts(subscribers: 1, size: Self.size)
        let wordy = #expect(throws: TableError.self) {
            try other.receive(message.map { $0 == UInt8(ascii: "7") ? UInt8(ascii: "x") : $0 }[...], of: 0, at: 9)
        }
        for error in [odd, wordy] { #expect(error?.description == "The answer of Redis cannot be read.") }
    }

    @Test("The rate of redis-benchmark is read from its CSV")
    func benchmark() {
        let text = """
            "test","rps","avg_latency_ms","min_latency_ms"
            "SET","30303.03","0.1","0.02"
            """
        #expect(RedisServer.rate(ofCSV: text) == 30_303.03)
        #expect(RedisServer.rate(ofCSV: "Could not connect to Redis") == nil)
        #expect(RedisServer.rate(ofCSV: "\"SET\"") == nil)
    }
}
