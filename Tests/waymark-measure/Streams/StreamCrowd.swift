// SPDX-License-Identifier: Apache-2.0

import CZeroMQ
import Glibc
import LoadTest
import Synchronization
import WaymarkLoad
import ZeroMQ

/// Readers of `/v1/changes`, all on one thread, which waits with `epoll`. Checks that each gets every change of its
/// group once and in order.
final class StreamCrowd: Sendable {
    private struct Stream {
        let descriptor: Int32
        var reader: WebStreamReader
        /// The latest revision.
        var rev: UInt64 = 0
    }

    private struct State {
        var streams: [Stream]
        var report: StreamReport
        /// The times on `NanoClock` at which the changes were sent.
        var sent: [UInt64] = []
    }

    private static let piece = 65_536

    /// The word at the end of the landmarks' names.
    private let word = LoadName.word()
    private let plan: StreamPlan
    private let port: UInt16
    private let hasAreas: Bool
    private let epoll: Int32
    private let state: Locked<State>
    private let isOver = Atomic(false)

    init(_ plan: StreamPlan, port: UInt16, hasAreas: Bool) throws {
        (self.plan, self.port, self.hasAreas) = (plan, port, hasAreas)
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw HTTPLoadError.nobody("127.0.0.1:\(port)") }
        state = Locked(State(streams: [], report: StreamReport()))
    }

    var report: StreamReport { state.withLock { $0.report } }

    func end() { isOver.store(true, ordering: .relaxed) }

    /// Opens all streams. Returns when each has begun.
    func open() async throws {
        for stream in 0..<plan.streams {
            let path = "/v1/changes" + (hasAreas ? try plan.area(stream) : "")
            guard let descriptor = PlainSocket.connect(port: port) else {
                throw HTTPLoadError.nobody("127.0.0.1:\(port)")
            }
            let reader = WebStreamReader(WrittenNames(run: word))
            state.withLock { $0.streams.append(Stream(descriptor: descriptor, reader: reader)) }
            var event = epoll_event()
            event.events = EPOLLIN.rawValue
            event.data.u64 = UInt64(stream)
            let request = HTTPOrigin.here(port).request(path)
            guard epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0,
                send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count
            else { throw HTTPLoadError.closed }
            // Few at a time, so that the kernel's queue of new connections never overflows.
            while state.withLock({ $0.report.begun + 100 < stream }) { try await Task.sleep(for: .milliseconds(1)) }
        }
        while state.withLock({ $0.report.begun < plan.streams && $0.report.ended == 0 }) {
            try await Task.sleep(for: .milliseconds(1))
        }
        guard report.ended == 0 else { throw HTTPLoadError.closed }
    }

    /// Notes that a change is being written. The numbers begin at 0 without gaps.
    ///
    /// - Returns: the name of its landmark, with the number from 1.
    func writes(_ number: Int) -> String {
        let readers = (0..<plan.each).count { plan.group(ofChange: number) * plan.each + $0 < plan.streams }
        state.withLock {
            $0.sent.append(NanoClock.now)
            $0.report.expected += readers
        }
        return "Stream \(number + 1) \(word)"
    }

    /// Receives until ``end()``.
    func run() throws {
        var events = [epoll_event](repeating: epoll_event(), count: 256)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.piece, alignment: 16)
        defer {
            buffer.deallocate()
            close(epoll)
            state.withLock { for stream in $0.streams { close(stream.descriptor) } }
        }
        while !isOver.load(ordering: .relaxed) {
            let found = epoll_wait(epoll, &events, Int32(events.count), 100)
            for event in events.prefix(Int(max(0, found))) { receive(Int(event.data.u64), buffer) }
        }
    }

    private func receive(_ stream: Int, _ buffer: UnsafeMutableRawBufferPointer) {
        state.withLock { state in
            let descriptor = state.streams[stream].descriptor
            let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
            if count < 0, errno == EAGAIN || errno == EINTR { return }
            var events: [WebEvent] = []
            do {
                guard count > 0 else { throw HTTPLoadError.closed }
                let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                try state.streams[stream].reader.read(bytes) { events.append($0) }
            } catch {
                epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, nil)
                state.report.ended += 1
            }
            let now = NanoClock.now
            for event in events { take(event, stream, now, &state) }
        }
    }

    private func take(_ event: WebEvent, _ stream: Int, _ now: UInt64, _ state: inout State) {
        switch event {
        case .begun: state.report.begun += 1
        case .beacon(let rev):
            // A beacon may repeat the revision before it.
            if rev < state.streams[stream].rev { state.report.disorder += 1 }
            state.streams[stream].rev = rev
        case .change(let rev, let number, _):
            if rev <= state.streams[stream].rev { state.report.disorder += 1 }
            state.streams[stream].rev = rev
            guard let told = number, told <= UInt64(state.sent.count),
                plan.group(ofChange: Int(told) - 1) == plan.group(ofStream: stream)
            else {
                state.report.disorder += 1
                return
            }
            state.report.received += 1
            state.report.times.append(Double(now - state.sent[Int(told) - 1]) / 1_000)
        }
    }
}

/// The changes that streams got, and how long after they were sent.
struct StreamReport {
    var (begun, ended) = (0, 0)
    var (expected, received) = (0, 0)
    /// Changes of others, repeated ones, and those in a wrong order.
    var disorder = 0
    /// In microseconds.
    var times: [Double] = []

    var isComplete: Bool { received >= expected }

    var text: String {
        let sorted = times.sorted()
        func at(_ share: Double) -> Int {
            sorted.isEmpty ? 0 : Int(sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))] / 1_000)
        }
        return """
            \(received) of \(expected) changes arrived, \(expected - received) lost, \(disorder) wrong, \(ended) streams \
            ended; after p50 \(at(0.5)) ms, p99 \(at(0.99)) ms, at most \(at(1)) ms
            """
    }
}
