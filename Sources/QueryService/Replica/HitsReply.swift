// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import WaymarkProtocol

/// An encoded `Reply` with `Hits`, assembled from landmarks that are already encoded.
///
/// The hits are collected first, so that the size is known. Then everything is written at once, directly into the
/// send buffer. The numbers are those of the fields in `waymark.proto`. The encoder is written by hand because
/// copying encoded bytes costs a fraction of building the messages and encoding them.
///
/// Valid until the replica changes: it points to the replica's bytes.
struct HitsReply {
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

    private struct Hit {
        let landmark: UnsafeRawBufferPointer
        /// In metres.
        let distance: Double?
        /// In degrees.
        let bearing: Double?

        /// The size of the encoded `Hit`.
        var byteCount: Int {
            1 + WireBuffer.size(landmark.count) + landmark.count + (distance == nil ? 0 : 9) + (bearing == nil ? 0 : 9)
        }
    }

    private var hits: [Hit] = []
    /// The size of the encoded `Hits` so far.
    private var hitsBytes = 0
    private var cursor: [UInt8] = []
    private var searchedRev: UInt64 = 0
    private var isTruncated = false

    var count: Int { hits.count }

    init(expecting hits: Int) {
        self.hits.reserveCapacity(hits)
    }

    /// Whether a landmark of this size still fits into the page. The first one always fits.
    func hasRoom(for landmark: UnsafeRawBufferPointer) -> Bool {
        count == 0 || hitsBytes + landmark.count + 32 <= WaymarkProtocol.pageBytes
    }

    /// - Parameters:
    ///   - distance: in metres.
    ///   - bearing: in degrees.
    mutating func append(_ landmark: UnsafeRawBufferPointer, distance: Double? = nil, bearing: Double? = nil) {
        let hit = Hit(landmark: landmark, distance: distance, bearing: bearing)
        hits.append(hit)
        hitsBytes += 1 + WireBuffer.size(hit.byteCount) + hit.byteCount
    }

    mutating func end(at cursor: Cursor?) { self.cursor = cursor?.bytes ?? [] }

    /// For a page of a text search: the revision that was searched, and whether there were more matches than are
    /// examined.
    mutating func end(searchedRev: UInt64, isTruncated: Bool) {
        (self.searchedRev, self.isTruncated) = (searchedRev, isTruncated)
    }

    private var bodyBytes: Int {
        hitsBytes + (cursor.isEmpty ? 0 : 1 + WireBuffer.size(cursor.count) + cursor.count)
            + (searchedRev == 0 ? 0 : 1 + WireBuffer.size(searchedRev)) + (isTruncated ? 2 : 0)
    }

    /// The size of the encoded `Reply`.
    var byteCount: Int { 1 + WireBuffer.size(bodyBytes) + bodyBytes }

    /// The encoded `Reply`.
    var encoded: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
            write(to: UnsafeMutableRawBufferPointer(buffer))
            count = byteCount
        }
    }

    /// Writes the encoded `Reply`.
    ///
    /// - Precondition: there is room for ``byteCount`` bytes.
    func write(to buffer: UnsafeMutableRawBufferPointer) {
        var writer = WireBuffer(buffer)
        writer.put(Tag.replyHits)
        writer.put(varint: UInt64(bodyBytes))
        for hit in hits {
            writer.put(Tag.hit)
            writer.put(varint: UInt64(hit.byteCount))
            writer.put(Tag.landmark)
            writer.put(varint: UInt64(hit.landmark.count))
            writer.put(hit.landmark)
            if let distance = hit.distance { writer.put(Tag.distance, distance) }
            if let bearing = hit.bearing { writer.put(Tag.bearing, bearing) }
        }
        if !cursor.isEmpty {
            writer.put(Tag.cursor)
            writer.put(varint: UInt64(cursor.count))
            cursor.withUnsafeBytes { writer.put($0) }
        }
        if searchedRev > 0 {
            writer.put(Tag.searchedRev)
            writer.put(varint: searchedRev)
        }
        if isTruncated {
            writer.put(Tag.truncated)
            writer.put(1)
        }
    }
}
