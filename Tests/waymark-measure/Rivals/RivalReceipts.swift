// SPDX-License-Identifier: Apache-2.0

import LoadTest

/// From a durable write until another connection has been told of it, one write at a time.
extension PostgreSQLServer {
    /// A landmark, a change and a NOTIFY in one transaction; the subscriber LISTENs. After ``prepareWrites(record:payload:)``.
    func receipts(_ count: Int, _ stop: LoadStop) throws -> Sample {
        let (writer, listener) = (
            try PostgreSQLConnection(port: port), try PostgreSQLConnection(port: port)
        )
        try listener.run("LISTEN changes")
        var sample = Sample()
        for _ in 0..<count where !stop.isAsked {
            let begun = ContinuousClock.now
            try writer.begin("SELECT write_one(true)")
            try listener.wait(for: "A")
            sample.add(ContinuousClock.now - begun)
            try writer.wait(for: "Z")
        }
        return sample
    }
}

extension RedisServer {
    /// An entry of a stream; the subscriber waits with XREAD.
    func receipts(_ count: Int, bytes: Int, _ stop: LoadStop) throws -> Sample {
        let (writer, reader) = (try RESPConnection(port: port), try RESPConnection(port: port))
        runs += 1
        let name = "receipts\(runs)"
        let entry = RESPConnection.encode(["XADD", name, "*", "v", String(repeating: "v", count: bytes)])
        var last = "0"
        var sample = Sample()
        for _ in 0..<count where !stop.isAsked {
            try reader.send(RESPConnection.encode(["XREAD", "BLOCK", "10000", "STREAMS", name, last]))
            let begun = ContinuousClock.now
            try writer.send(entry)
            let (newest, _) = try Self.newest(reader.receive())
            sample.add(ContinuousClock.now - begun)
            last = newest
            _ = try writer.receive()
        }
        return sample
    }

    /// The last id of a reply to XREAD, and the number of its entries.
    static func newest(_ reply: RESPReader.Reply) throws -> (id: String, entries: Int) {
        guard case .list(let streams) = reply, case .list(let stream)? = streams.first, stream.count == 2,
            case .list(let entries) = stream[1], case .list(let newest)? = entries.last,
            case .text(let id)? = newest.first
        else { throw TableError.unreadable("Redis") }
        return (String(decoding: id, as: UTF8.self), entries.count)
    }
}
