// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
public import Landmarks
import TestProcess
import ZeroMQ

/// A reader of changes over HTTP that is recorded like a feed, so that the same validator judges it. When its
/// connection ends, the reader asks again with the last event's id, as a browser does.
public final class EventSubscriber: Sendable {
    private struct State: Sendable {
        var position: Position
        /// The epoch and run that were recorded last.
        var written: Position?
        var marked: UInt64 = 0
        var connection: Int32 = -1
        var cutsWithin = 0
        var cuts = 0
        var isStopped = false
        var problem: String?
    }

    private let port: UInt16
    private let filter: FilterSpec
    private let recorder: Recorder
    private let state: Locked<State>
    private let isDone = DispatchSemaphore(value: 0)

    /// - Parameter start: the position after which the changes begin.
    public init(_ name: String, directory: String, port: UInt16, filter: FilterSpec, after start: Position) throws {
        (self.port, self.filter) = (port, filter)
        recorder = try Recorder("\(directory)/\(name).feeds")
        state = Locked(State(position: start))
        Thread.detachNewThread { [self] in
            while !state.withLock({ $0.isStopped }) {
                connect()
                usleep(50_000)
            }
            recorder.flush()
            isDone.signal()
        }
    }

    /// The revision through which every change has come.
    public var rev: UInt64 { state.withLock { $0.position.rev } }
    /// The last revision that the stream reported as reached.
    public var marked: UInt64 { state.withLock { $0.marked } }
    /// How often the connection was cut within an event.
    public var cuts: Int { state.withLock { $0.cuts } }
    /// The reason why the stream cannot continue.
    public var problem: String? { state.withLock { $0.problem } }

    /// Cuts the connection as soon as a part of an event has come, this many times.
    public func cutWithinEvents(_ count: Int) { state.withLock { $0.cutsWithin = count } }

    public func stop() {
        state.withLock { state in
            state.isStopped = true
            if state.connection >= 0 { shutdown(state.connection, Int32(SHUT_RDWR)) }
        }
        isDone.wait()
        // For a second call.
        isDone.signal()
    }

    private func connect() {
        guard let descriptor = Ports.connect(port) else { return }
        defer { Glibc.close(descriptor) }
        // stop() uses the descriptor only while it is open.
        guard
            state.withLock({ state in
                if !state.isStopped { state.connection = descriptor }
                return !state.isStopped
            })
        else { return }
        defer { state.withLock { $0.connection = -1 } }
        let position = state.withLock { state in
            state.written = nil
            return state.position
        }
        let run = position.run.map { "\($0)-" } ?? ""
        let question = """
            GET /v1/changes?\(filter.query) HTTP/1.1\r
            Host: 127.0.0.1:\(port)\r
            Last-Event-ID: \(position.epoch)-\(run)\(position.rev)\r
            \r\n
            """
        guard send(descriptor, question, question.utf8.count, Int32(MSG_NOSIGNAL)) == question.utf8.count else {
            return
        }
        recorder.record(FeedRecord.begin(filter, .after(position)).line(0))
        var stream = EventParts()
        // Small parts, so that many of them end within an event.
        var part = [UInt8](repeating: 0, count: 997)
        while true {
            let count = recv(descriptor, &part, part.count, 0)
            guard count > 0 else { return }
            for event in stream.receive(part[..<count]) where !handle(event) { return }
            let isCut =
                stream.isWithinEvent
                && state.withLock { state in
                    guard state.cutsWithin > 0 else { return false }
                    state.cutsWithin -= 1
                    state.cuts += 1
                    return true
                }
            if isCut { return }
        }
    }

    /// - Returns: whether the stream goes on.
    private func handle(_ event: EventParts.Event) -> Bool {
        guard event.name != "compacted", let position = event.position else {
            let body = event.object
            recorder.record(
                FeedRecord.ended(
                    code: body["reason"] as? String ?? "unknown", floor: (body["floor"] as? NSNumber)?.uint64Value ?? 0,
                    head: (body["head"] as? NSNumber)?.uint64Value ?? 0
                ).line(0))
            state.withLock { ($0.isStopped, $0.problem) = (true, event.data) }
            return false
        }
        let isNew = state.withLock { state in
            defer { state.written = position }
            return state.written?.epoch != position.epoch || state.written?.run != position.run
        }
        if isNew { recorder.record(FeedRecord.epoch(position.epoch, run: position.run).line(0)) }
        if let change = event.change, let operation = FeedOperation(rawValue: event.name) {
            recorder.record(FeedRecord.change(rev: position.rev, operation, digest: Digest.of(change)).line(0))
        } else {
            recorder.record(FeedRecord.reached(rev: position.rev).line(0))
            state.withLock { $0.marked = position.rev }
        }
        state.withLock { $0.position = position }
        return true
    }
}

extension FilterSpec {
    /// The parameters of a request over HTTP.
    var query: String {
        var parts = kinds.map { "kind=\($0)" } + users.map { "user=\($0)" }
        switch place {
        case .everywhere: break
        case .circle(let latitude, let longitude, let radius):
            parts.append("lat=\(latitude)&lng=\(longitude)&radius=\(radius)")
        case .box(let south, let west, let north, let east): parts.append("within=\(south),\(west),\(north),\(east)")
        }
        return parts.joined(separator: "&")
    }
}
