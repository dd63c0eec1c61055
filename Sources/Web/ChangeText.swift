// SPDX-License-Identifier: Apache-2.0

internal import Landmarks
internal import WaymarkJSON

/// A change as a server-sent event. All readers share the encoding; only the operation differs.
struct ChangeText: Sendable {
    private let head: [UInt8]
    private let tail: [UInt8]

    init(_ told: FeedChange) {
        let parts = JSONWriter.parts(of: told)
        head = Array("id: \(EventID(told.position))\ndata: ".utf8) + parts.head
        tail = parts.tail + Array("\n\n".utf8)
    }

    var byteCount: Int { head.count + tail.count }

    func write(_ operation: FeedOperation, to buffer: inout [UInt8]) {
        buffer += "event: ".utf8
        buffer += operation.rawValue.utf8
        buffer.append(UInt8(ascii: "\n"))
        buffer += head
        buffer += operation.rawValue.utf8
        buffer += tail
    }
}
