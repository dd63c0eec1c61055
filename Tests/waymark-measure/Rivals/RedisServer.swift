// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import LoadTest

/// A private Redis server.
final class RedisServer {
    let port: UInt16
    private let children: Children
    private let server: Program
    var runs = 0

    /// - Parameter isDurable: whether each write waits for the disk (`appendfsync always`); otherwise nothing is kept.
    init(_ run: TableRun, isDurable: Bool) throws {
        children = run.children
        let program = try Tools.find("redis-server")
        port = try Ports.free()
        let folder = "\(run.children.directory)/redis-\(port)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var words = ["--port", "\(port)", "--bind", "127.0.0.1", "--save", "", "--dir", folder]
        // A subscriber that falls behind keeps its connection.
        words += ["--client-output-buffer-limit", "pubsub 0 0 0"]
        words += isDurable ? ["--appendonly", "yes", "--appendfsync", "always"] : ["--appendonly", "no"]
        server = try run.children.start(program, words, log: "redis-\(port)")
        run.versions["Redis"] = try Tools.output([program, "--version"]).split(separator: " ")
            .first { $0.hasPrefix("v=") }.map { String($0.dropFirst(2)) }
        do { _ = try RESPConnection(port: port).ask(["PING"]) } catch {
            end()
            throw error
        }
    }

    func end() { children.end(server) }

    /// - Returns: writes a second of redis-benchmark, a program in C, with this many clients; each sends the next one
    ///   after an answer.
    func writeRate(clients: Int, count: Int, bytes: Int) throws -> Double {
        let text = try Tools.output([
            try Tools.find("redis-benchmark"), "-p", "\(port)", "-c", "\(clients)", "-n", "\(count)", "-t", "set", "-d",
            "\(bytes)", "-r", "1000000", "--csv",
        ])
        guard let rate = Self.rate(ofCSV: text) else { throw TableError.unreadable("redis-benchmark") }
        return rate
    }

    /// The rate in redis-benchmark's output: `"SET","30303.03","0.1",…`.
    static func rate(ofCSV text: String) -> Double? {
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("\"SET\",") }) else { return nil }
        let cells = line.split(separator: ",")
        return cells.count > 1 ? Double(cells[1].filter { $0 != "\"" }) : nil
    }

    /// - Returns: entries a second that one subscriber has read of a stream, while one connection appends with this
    ///   many entries in flight.
    func streamRate(window: Int, bytes: Int, seconds: Double, _ stop: LoadStop) throws -> Double {
        let (writer, reader) = (try RESPConnection(port: port), try RESPConnection(port: port))
        runs += 1
        let name = "stream\(runs)"
        let entry = RESPConnection.encode(["XADD", name, "*", "v", String(repeating: "v", count: bytes)])
        try writer.send(Array(repeatElement(entry, count: window).joined()))
        var (last, read) = ("0", 0)
        let begun = NanoClock.now
        var now = begun
        let ends = begun + UInt64(seconds * 1e9)
        while now < ends, !stop.isAsked {
            let reply = try reader.ask(["XREAD", "COUNT", "1024", "BLOCK", "1000", "STREAMS", name, last])
            let (newest, entries) = try Self.newest(reply)
            last = newest
            read += entries
            // The writer's answers came before the reader's: as many entries may follow.
            for _ in 0..<entries { _ = try writer.receive() }
            try writer.send(Array(repeatElement(entry, count: entries).joined()))
            now = NanoClock.now
        }
        return Double(read) * 1e9 / Double(max(1, now - begun))
    }
}
