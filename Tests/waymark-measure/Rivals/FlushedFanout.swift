// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import LoadTest
import ZeroMQ

/// Commits, each flushed to the disk, and PUB/SUB behind them at a rate: what a durable write until its receipt costs
/// without Waymark. Writes that are due together share a flush, as at storage.
struct FlushedFanout: Sendable {
    /// As late as a sleep may wake up, in nanoseconds. The rest is spun, as the generator of Waymark's writes does.
    private static let spin: UInt64 = 60_000
    /// The most rows of a commit, as at storage.
    private static let most: UInt64 = 1_024
    /// Messages; more than ever wait.
    private static let highWaterMark = 100_000

    /// A folder on the disk that is measured.
    let folder: String
    /// Bytes of a message and of its change's row, at least ``BusStreamTest/leastBytes``.
    let size: Int
    let subscribers: Int

    /// - Parameter shape: an open loop of a duration. The arrivals are constant.
    func run(_ shape: LoadShape, _ watch: LoadWatch) async throws -> LoadResult {
        guard let rate = shape.rate, case .duration = shape.end else {
            throw TableError.unreadable("the shape of a load")
        }
        let meeting = StreamMeeting(patience: 10_000_000_000)
        let (endpoint, tag) = ("tcp://127.0.0.1:\(try Ports.free())", UInt64.random(in: .min ... .max))
        let (sent, received) = try await meeting.run(
            send: { try send(rate, shape, watch, meeting, endpoint, tag) },
            receive: {
                let context = try Context(maxSockets: subscribers + 16)
                let receiver = try StreamReceiver<BusIntake>()
                for _ in 0..<subscribers { try receiver.add(Self.intake(context, endpoint, tag)) }
                return try receiver.receiveAll(meeting, shape)
            })
        return received.result(beside: sent, sent: sent.tally.sent)
    }

    private static func intake(_ context: Context, _ endpoint: String, _ tag: UInt64) throws -> BusIntake {
        var options = SocketOptions.client
        options.receiveHighWaterMark = highWaterMark
        let socket = try Socket(.sub, context: context, options: options)
        try socket.subscribe([])
        try socket.connect(endpoint)
        return BusIntake(socket, tag: tag)
    }

    private func send(
        _ rate: Double, _ shape: LoadShape, _ watch: LoadWatch, _ meeting: StreamMeeting, _ endpoint: String,
        _ tag: UInt64
    ) throws -> LoadResult {
        let path = "\(folder)/fanout-\(UUID().uuidString).sqlite"
        let disk = BareDisk(path: path)
        defer {
            disk.close()
            for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
        }
        var options = SocketOptions.client
        // All subscribers connect at the same time.
        (options.backlog, options.sendHighWaterMark, options.linger) = (1_024, Self.highWaterMark, .seconds(10))
        let socket = try Socket(.pub, context: try Context(), options: options)
        _ = try socket.bind(endpoint)
        let sender = BusSender(socket, size: size, tag: tag)
        return try meeting.send(watch.stop, orElse: TableError.unreadable(endpoint)) {
            _ = try sender.send(0, intended: 0)
            NanoClock.sleep(2_000_000)
        } run: { begun in
            try publish(sender, disk, 1e9 / rate, shape, watch, begun)
        }
    }

    /// - Parameter step: the time between two writes in nanoseconds.
    private func publish(
        _ sender: BusSender, _ disk: BareDisk, _ step: Double, _ shape: LoadShape, _ watch: LoadWatch,
        _ begun: UInt64
    ) throws -> LoadResult {
        let countsFrom = shape.counting(from: begun)
        let end = shape.limits(countingFrom: countsFrom).end
        let record = [UInt8](repeating: 1, count: WriteRivalsRow.record)
        let payload = [UInt8](repeating: 2, count: size)
        var tally = Tally(from: countsFrom)
        var (number, isCounting): (UInt64, Bool) = (0, false)
        func intended() -> UInt64 { begun + UInt64(Double(number) * step) }
        while intended() < end, !watch.stop.isAsked {
            Self.wait(until: intended())
            let now = NanoClock.now
            if !isCounting, now >= countsFrom {
                isCounting = true
                watch.countingBegins()
            }
            var due: [UInt64] = []
            while intended() <= now, intended() < end, UInt64(due.count) < Self.most {
                due.append(intended())
                number += 1
            }
            _ = disk.commit(rows: due.count, record: record, payload: payload)
            for (place, time) in due.enumerated() {
                _ = try sender.send(number - UInt64(due.count - 1 - place), intended: time)
                if time >= countsFrom { tally.sent += 1 }
            }
        }
        // A floor that has not written is none.
        guard disk.count == number else { throw TableError.unreadable("SQLite") }
        return LoadResult(tally, seconds: Double(end - countsFrom) / 1e9, rate: shape.rate)
    }

    private static func wait(until time: UInt64) {
        while case let now = NanoClock.now, now < time {
            if time - now > spin { NanoClock.sleep(time - now - spin) }
        }
    }
}
