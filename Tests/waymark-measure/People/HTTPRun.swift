// SPDX-License-Identifier: Apache-2.0

import Glibc
import LoadTest

/// One run of an ``HTTPLoad``, on its own thread.
final class HTTPRun {
    private struct Connection {
        var reader = HTTPReplyReader()
        /// When the request under way was sent; nil if there is none.
        var sent: UInt64?
    }

    private static let patience: UInt64 = 30_000_000_000
    private static let piece = 65_536

    private let load: HTTPLoad
    private let shape: LoadShape
    private let watch: LoadWatch
    private var polled: [pollfd] = []
    private var connections: [Connection] = []
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: piece, alignment: 16)
    private var number: UInt64 = 0
    private var tally = Tally(from: 0)
    private var isCounting = false
    /// When the warm-up is over.
    private var counting: UInt64 = 0

    init(_ load: HTTPLoad, _ shape: LoadShape, _ watch: LoadWatch) {
        (self.load, self.shape, self.watch) = (load, shape, watch)
    }

    func run(connections count: Int) throws(HTTPLoadError) -> LoadResult {
        for _ in 0..<count {
            guard let descriptor = PlainSocket.connect(port: load.port) else { throw .cannotConnect }
            polled.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
            connections.append(Connection())
        }
        let begun = NanoClock.now
        counting = begun + UInt64(shape.warmUp * 1e9)
        tally = Tally(from: counting, tell: watch.tell)
        var (now, heard) = (begun, begun)
        for place in connections.indices where !isOver(now) { try send(place, now) }
        while !isOver(now) || connections.contains(where: { $0.sent != nil }) {
            // The warm-up may pass without an answer.
            if !isCounting, now >= counting {
                isCounting = true
                watch.countingBegins()
            }
            let ready = poll(&polled, nfds_t(polled.count), 100)
            now = NanoClock.now
            if ready > 0 { heard = now }
            guard now - heard < Self.patience else { throw .noAnswer }
            for place in polled.indices where polled[place].revents != 0 {
                guard try receive(place, now), !isOver(now) else { continue }
                try send(place, now)
            }
        }
        // Answers after the intended end were not counted.
        let seconds: Double =
            switch shape.end {
            case .duration(let seconds): min(seconds, Double(now - min(now, counting)) / 1e9)
            case .count: Double(now - min(now, counting)) / 1e9
            }
        return LoadResult(tally, seconds: seconds)
    }

    private func isOver(_ now: UInt64) -> Bool {
        if watch.stop.isAsked { return true }
        return switch shape.end {
        case .duration(let seconds): now >= counting + UInt64(seconds * 1e9)
        case .count(let count): number >= UInt64(count)
        }
    }

    private func isCounted(_ now: UInt64) -> Bool {
        guard isCounting else { return false }
        if case .count = shape.end { return true }
        return !isOver(now)
    }

    private func send(_ place: Int, _ now: UInt64) throws(HTTPLoadError) {
        number += 1
        let request = load.request(number)
        // The socket blocks, and a request fits into its buffer, so it is sent whole.
        let sent = request.withUnsafeBytes {
            Glibc.send(polled[place].fd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard sent == request.count else { throw .closed }
        connections[place].sent = now
    }

    /// - Returns: whether a whole answer came.
    private func receive(_ place: Int, _ now: UInt64) throws(HTTPLoadError) -> Bool {
        let count = recv(polled[place].fd, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
        if count < 0, errno == EAGAIN || errno == EINTR { return false }
        guard count > 0, let sent = connections[place].sent else { throw .closed }
        connections[place].reader.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        guard let reply = try connections[place].reader.next() else { return false }
        connections[place].sent = nil
        guard isCounted(now) else { return true }
        if reply.status == load.status {
            tally.record(now - sent, bytes: reply.bytes, at: now)
        } else {
            tally.failed("HTTP \(reply.status)", at: now)
        }
        return true
    }

    func close() {
        for one in polled { Glibc.close(one.fd) }
        polled = []
        buffer.deallocate()
    }
}
