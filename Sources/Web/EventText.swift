// SPDX-License-Identifier: Apache-2.0

internal import WaymarkClient
internal import WaymarkJSON

/// The text of all events of a stream except changes.
enum EventText {
    /// The time in milliseconds that a browser waits before it connects again.
    private static let pause = 1_000
    /// The same time in milliseconds after an event that ends a stream for good, so that a page that ignores the event
    /// does not ask every second.
    private static let longPause = 60_000

    /// The first line of a stream. It is not followed by a blank line, so it belongs to the first event, because some
    /// clients mistake a block without data for an event.
    static let opening = Array("retry: \(pause)\n".utf8)

    static func landmark(_ landmark: Landmark, asOf position: Position) -> [UInt8] {
        // The event has no id, because a stream that breaks within its snapshot has to start again.
        event("landmark", id: nil) { $0.fields(landmark, asOf: position) }
    }

    /// Reports that a landmark which the snapshot may have sent is gone. The event has no id, because a stream that
    /// breaks within its snapshot has to start again.
    static func gone(_ told: FeedChange) -> [UInt8] {
        event(told.operation.rawValue, id: nil) { $0.fields(told) }
    }

    static func synced(_ position: Position) -> [UInt8] {
        event("synced", id: position) {
            $0.field("type", "synced")
            $0.fields(position)
        }
    }

    /// Tells the reader that it has received all matching changes up to `position`. The id of the event advances the
    /// reader's position, so that a stream with few matching changes can resume without reading many others. It is an
    /// event instead of a comment, because scripts cannot see comments.
    ///
    /// - Parameter isLive: whether the reader is up to date, and storage has sent something recently.
    static func beacon(_ position: Position, isLive: Bool) -> [UInt8] {
        event("beacon", id: position) {
            $0.field("type", "beacon")
            $0.fields(position)
            $0.field("live", isLive)
        }
    }

    /// Tells the reader that the stream cannot continue after `position`.
    static func ended(_ error: ServiceError, after position: Position) -> [UInt8] {
        Array("retry: \(longPause)\n".utf8)
            + event("compacted", id: nil) {
                $0.field("type", "compacted")
                $0.field("rev", position.rev)
                $0.field("reason", error.code.name)
                $0.field("floor", error.head > 0 ? error.floor : nil as UInt64?)
                $0.field("head", error.head > 0 ? error.head : nil as UInt64?)
                $0.field("detail", "\(error.message) Close this stream and open one with ?snapshot.")
            }
    }

    /// Tells the reader that its session or key has ended, so that it has to sign in again.
    static let signedOut =
        Array("retry: \(longPause)\n".utf8)
        + event("signed_out", id: nil) {
            $0.field("type", "signed_out")
            $0.field("detail", ServiceError.keyEnded.message)
        }

    static func event(_ name: String, id: Position?, _ data: (inout JSONWriter) -> Void) -> [UInt8] {
        var bytes = Array("event: \(name)\n".utf8)
        if let id { bytes += "id: \(id.eventID)\n".utf8 }
        bytes += "data: ".utf8
        // Two newlines end an event. The first of them is at the end of the JSON line.
        bytes += JSONWriter.line(data)
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }
}

/// A change as a server-sent event. All readers share the encoded text; only the operation differs between them.
struct ChangeText: Sendable {
    private static let end = Array("\n\n".utf8)

    private let head: [UInt8]
    private let tail: [UInt8]
    /// The number of bytes in `head` before the JSON.
    private let opening: Int

    init(_ told: FeedChange) {
        let (parts, lines) = (told.parts, Array("id: \(told.position.eventID)\ndata: ".utf8))
        (head, opening) = (lines + parts.head, lines.count)
        tail = parts.tail + Self.end
    }

    var byteCount: Int { head.count + tail.count }

    /// Returns the JSON alone.
    func json(as operation: FeedOperation) -> [UInt8] {
        Array(head[opening...]) + Array(operation.rawValue.utf8) + tail.dropLast(Self.end.count)
    }

    func write(_ operation: FeedOperation, to buffer: inout [UInt8]) {
        buffer += "event: ".utf8
        buffer += operation.rawValue.utf8
        buffer.append(UInt8(ascii: "\n"))
        buffer += head
        buffer += operation.rawValue.utf8
        buffer += tail
    }
}
