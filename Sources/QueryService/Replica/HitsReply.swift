// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// An encoded `Reply` with `Hits`, assembled from encoded landmarks.
///
/// The hits are collected first, so that the size is known. Then the reply is written directly into the send buffer. It
/// is encoded by hand, because copying encoded bytes costs a fraction of building and encoding messages.
///
/// It points to the replica's memory, so it is valid until the replica changes.
struct HitsReply {
    private struct Hit {
        let landmark: UnsafeRawBufferPointer
        /// Distance in metres.
        let distance: Double?
        /// Bearing in degrees.
        let bearing: Double?
        /// The range of the hit's encoded `Opening` in `openings`. An array for each hit would need reference counting.
        let opening: Range<Int>?
        /// The size of the encoded `Hit`.
        let byteCount: Int

        init(_ landmark: UnsafeRawBufferPointer, _ distance: Double?, _ bearing: Double?, _ opening: Range<Int>?) {
            (self.landmark, self.distance, self.bearing, self.opening) = (landmark, distance, bearing, opening)
            byteCount =
                1 + WireBuffer.size(landmark.count) + landmark.count + (distance == nil ? 0 : 9)
                + (bearing == nil ? 0 : 9) + (opening.map { 1 + WireBuffer.size($0.count) + $0.count } ?? 0)
        }
    }

    // Each field's tag counts as one byte, because all field numbers of these messages are below 16.

    private var hits: [Hit] = []
    /// The size of the encoded `Hits` so far.
    private var hitsBytes = 0
    /// The encoded cursor of the next page; empty on the last page.
    var cursor: [UInt8] = []
    /// For a text search: the revision that was searched, and whether storage had more matches than it examines.
    var (searchedRev, isTruncated): (UInt64, Bool) = (0, false)
    /// The moment for which the page tells which landmarks are open, in Unix milliseconds; 0 if the page does not tell.
    var openingAt: UInt64 = 0
    private var openings: [UInt8] = []

    var count: Int { hits.count }

    init(expecting hits: Int) {
        self.hits.reserveCapacity(hits)
    }

    /// Whether a landmark of this size still fits into the page. The first landmark of a page always fits.
    func hasRoom(for landmark: UnsafeRawBufferPointer) -> Bool {
        count == 0 || hitsBytes + landmark.count + 32 <= WaymarkProtocol.pageBytes
    }

    /// - Parameters:
    ///   - distance: in metres.
    ///   - bearing: in degrees.
    ///   - opening: an encoded `Opening`.
    mutating func append(
        _ landmark: UnsafeRawBufferPointer, distance: Double? = nil, bearing: Double? = nil, opening: [UInt8]? = nil
    ) {
        var place: Range<Int>?
        if let opening {
            place = openings.count..<openings.count + opening.count
            openings += opening
        }
        let hit = Hit(landmark, distance, bearing, place)
        hits.append(hit)
        hitsBytes += 1 + WireBuffer.size(hit.byteCount) + hit.byteCount
    }

    private var bodyBytes: Int {
        hitsBytes + (cursor.isEmpty ? 0 : 1 + WireBuffer.size(cursor.count) + cursor.count)
            + (searchedRev == 0 ? 0 : 1 + WireBuffer.size(searchedRev)) + (isTruncated ? 2 : 0)
            + (openingAt == 0 ? 0 : 1 + WireBuffer.size(openingAt))
    }

    /// The size of the encoded `Reply`.
    var byteCount: Int { 1 + WireBuffer.size(bodyBytes) + bodyBytes }

    /// Writes the encoded `Reply`.
    ///
    /// - Precondition: there is room for ``byteCount`` bytes.
    func write(to buffer: UnsafeMutableRawBufferPointer) {
        var writer = WireBuffer(buffer)
        writer.open(ReplyField.hits, bodyBytes)
        for hit in hits {
            writer.open(HitsField.hits, hit.byteCount)
            writer.message(HitField.landmark, hit.landmark)
            writer.optional(HitField.distanceM, hit.distance)
            writer.optional(HitField.bearingDeg, hit.bearing)
            if let place = hit.opening {
                openings.withUnsafeBytes { bytes in
                    writer.message(HitField.opening, UnsafeRawBufferPointer(rebasing: bytes[place]))
                }
            }
        }
        if !cursor.isEmpty { writer.message(HitsField.cursor, cursor) }
        writer.number(HitsField.searchedRev, searchedRev)
        writer.flag(HitsField.truncated, isTruncated)
        writer.number(HitsField.openingAt, openingAt)
    }
}
