// SPDX-License-Identifier: Apache-2.0

internal import JSON
internal import WaymarkClient
internal import Web

/// A message to a receiver: one event, or an array of them, in the JSON form of CloudEvents 1.0. Pure.
struct HookMessage: Sendable {
    /// The size in bytes from which a message takes no further event, so that it is far smaller than a request to
    /// storage, which keeps messages that are put aside.
    private static let mostBytes = 512 << 10

    /// The `webhook-id`, which stays the same in all tries.
    let id: String
    let isBatch: Bool
    let body: [UInt8]
    /// The number of changes.
    var count = 0
    /// The position after the message; nil for a message outside the order.
    var through: Position?
    /// The time of the first event, in Unix milliseconds.
    var at: UInt64 = 0

    var contentType: String { "application/cloudevents\(isBatch ? "-batch" : "")+json" }
}

extension HookMessage {
    /// Takes the first changes for a message; nil if there are none.
    ///
    /// - Parameter batch: the maximum number of changes of a message. With more than 1 every message is an array.
    init?(taking changes: inout ArraySlice<FollowedChanges.Told>, batch: Int) {
        guard let first = changes.first else { return nil }
        let isBatch = batch > 1
        var (body, count, last) = ([UInt8](), 0, first)
        while let next = changes.first, count < max(batch, 1), body.count < Self.mostBytes {
            changes.removeFirst()
            if isBatch { body.append(UInt8(ascii: count == 0 ? "[" : ",")) }
            body += Self.event(next)
            (count, last) = (count + 1, next)
        }
        if isBatch { body.append(UInt8(ascii: "]")) }
        let id = Self.id(first.position)
        self.init(
            id: isBatch ? "\(id)-\(last.position.rev)" : id, isBatch: isBatch, body: body, count: count,
            through: last.position, at: first.at)
    }

    /// The message that changes after a position are missing, because the log does not keep them any more.
    ///
    /// - Parameters:
    ///   - floor: the oldest revision that the log keeps.
    ///   - now: the Unix time in milliseconds.
    static func compacted(after position: Position, floor: UInt64, batch: Int, now: UInt64) -> HookMessage {
        let through = Position(epoch: position.epoch, rev: max(floor, 1) - 1)
        return own("waymark.feed.compacted", "compacted-\(floor)", through, in: position.epoch, batch, now) {
            $0.field("type", "compacted")
            $0.field("epoch", position.epoch)
            $0.field("from", position.rev)
            $0.field("floor", floor)
        }
    }

    /// The message of `hook test`.
    ///
    /// - Parameter number: the number of the test.
    static func test(of hook: String, number: UInt64, in epoch: UUIDv7, batch: Int, now: UInt64) -> HookMessage {
        own("waymark.hook.test", "test-\(number)", nil, in: epoch, batch, now) {
            $0.field("type", "test")
            $0.field("hook", hook)
        }
    }

    /// A message with one event that is no change.
    private static func own(
        _ type: String, _ name: String, _ through: Position?, in epoch: UUIDv7, _ batch: Int, _ now: UInt64,
        data: (inout JSONWriter) -> Void
    ) -> HookMessage {
        let (id, data) = ("\(epoch)-\(name)", JSONWriter.line(data).dropLast())
        var body = event(id: id, epoch: epoch, type: type, subject: nil, at: now, data: data)
        if batch > 1 { body = [UInt8(ascii: "[")] + body + [UInt8(ascii: "]")] }
        return HookMessage(id: id, isBatch: batch > 1, body: body, through: through, at: now)
    }

    private static func id(_ position: Position) -> String { "\(position.epoch)-\(position.rev)" }

    private static func event(_ told: FollowedChanges.Told) -> [UInt8] {
        event(
            id: id(told.position), epoch: told.position.epoch, type: "waymark.landmark.\(told.operation.rawValue)",
            subject: told.landmark.description, at: told.at, data: told.json)
    }

    /// The texts need no escaping: they are ids and words.
    private static func event(
        id: String, epoch: UUIDv7, type: String, subject: String?, at: UInt64, data: some Sequence<UInt8>
    ) -> [UInt8] {
        let head =
            #"{"specversion":"1.0","id":"\#(id)","source":"urn:uuid:\#(epoch)","type":"\#(type)","#
            + (subject.map { #""subject":"\#($0)","# } ?? "")
            + #""time":"\#(Timestamp.rfc3339(at))","datacontenttype":"application/json","data":"#
        return Array(head.utf8) + data + [UInt8(ascii: "}")]
    }
}
