// SPDX-License-Identifier: Apache-2.0

package import Landmarks

extension JSONWriter {
    /// A change as ``fields(_:)`` writes it, cut around its operation, which differs between readers. The operation's
    /// name stands between the two parts.
    package static func parts(of told: FeedChange) -> (head: [UInt8], tail: [UInt8]) {
        var writer = JSONWriter()
        var cut = 0
        writer.object { cut = $0.fields(told) + 1 }
        // The text's quotes stay: the first belongs to the head, the second to the tail.
        return (Array(writer.bytes[..<cut]), Array(writer.bytes[(cut + told.operation.rawValue.utf8.count)...]))
    }
}
