// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Landmarks
import WaymarkProtocol

/// Writes an encoded `Reply` with `Hits` in it from landmarks that are encoded already.
///
/// The numbers are those of the fields in `waymark.proto`. By hand, because copying ready bytes costs a fraction of
/// building the messages and encoding them.
struct HitsWriter {
    private enum Tag {
        static let replyHits: UInt8 = 10 << 3 | 2
        static let hit: UInt8 = 1 << 3 | 2
        static let landmark: UInt8 = 1 << 3 | 2
        static let distance: UInt8 = 2 << 3 | 1
        static let bearing: UInt8 = 3 << 3 | 1
        static let cursor: UInt8 = 2 << 3 | 2
        static let searchedRev: UInt8 = 3 << 3
        static let truncated: UInt8 = 4 << 3
    }

    private var bytes: [UInt8] = []
    private(set) var count = 0

    init(expecting hits: Int) {
        bytes.reserveCapacity(hits * 160 + 64)
    }

    /// Whether another landmark of so many bytes would still fit into a page. The first one always does.
    func hasRoom(for landmark: [UInt8]) -> Bool {
        count == 0 || bytes.count + landmark.count + 32 <= WaymarkProtocol.pageBytes
    }

    /// - Parameters:
    ///   - distance: metres.
    ///   - bearing: degrees.
    mutating func append(_ landmark: [UInt8], distance: Double? = nil, bearing: Double? = nil) {
        count += 1
        let body =
            1 + Self.varintSize(landmark.count) + landmark.count + (distance == nil ? 0 : 9) + (bearing == nil ? 0 : 9)
        bytes.append(Tag.hit)
        varint(UInt64(body))
        bytes.append(Tag.landmark)
        varint(UInt64(landmark.count))
        bytes.append(contentsOf: landmark)
        if let distance { double(Tag.distance, distance) }
        if let bearing { double(Tag.bearing, bearing) }
    }

    /// The encoded `Reply`.
    consuming func finish(cursor: Cursor?, searchedRev: UInt64 = 0, isTruncated: Bool = false) -> [UInt8] {
        if let cursor {
            let encoded = cursor.encoded
            bytes.append(Tag.cursor)
            varint(UInt64(encoded.count))
            bytes.append(contentsOf: encoded)
        }
        if searchedRev > 0 {
            bytes.append(Tag.searchedRev)
            varint(searchedRev)
        }
        if isTruncated { bytes += [Tag.truncated, 1] }
        let hits = bytes
        bytes = [Tag.replyHits]
        varint(UInt64(hits.count))
        bytes += hits
        return bytes
    }

    private mutating func double(_ tag: UInt8, _ value: Double) {
        bytes.append(tag)
        withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private mutating func varint(_ value: UInt64) {
        var value = value
        while value >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
            value >>= 7
        }
        bytes.append(UInt8(value))
    }

    private static func varintSize(_ value: Int) -> Int {
        max(1, (64 - UInt64(value).leadingZeroBitCount + 6) / 7)
    }
}
