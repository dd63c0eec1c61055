// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import WaymarkProtocol

/// The fields of an encoded `Landmark` that a replica reads. The others are only copied into answers.
struct LandmarkFields {
    let id: Landmark.ID
    let coordinate: Coordinate
    let rev: UInt64
    /// UTF-8. Valid as long as the bytes that it was read from.
    let name: UnsafeRawBufferPointer
    let kind: String
    let user: String
    /// The name of the source; empty if there is none.
    let source: String

    /// - Throws: an error if the bytes are not a landmark.
    init(_ bytes: UnsafeRawBufferPointer) throws(InvalidInput) {
        // Together with a folded name of the same size, a landmark has to fit into a block of the store.
        guard bytes.count <= LandmarkRules.recordBytes + 64 * 1024 else {
            throw .outOfRange("landmark", "of at most 512 KiB")
        }
        var (id, rev): (Landmark.ID?, UInt64) = (nil, 0)
        var (lat, lng) = (0.0, 0.0)
        var name = UnsafeRawBufferPointer(start: nil, count: 0)
        var (kind, user, source) = ("", "", "")
        var fields = WireFields(bytes)
        while let (field, value) = fields.next() {
            switch (field, value) {
            case (1, .bytes(let bytes)): id = UUIDv7(bytes: bytes)
            case (2, .bytes(let bytes)): name = bytes
            case (3, .fixed64(let bits)): lat = Double(bitPattern: bits)
            case (4, .fixed64(let bits)): lng = Double(bitPattern: bits)
            case (5, .bytes(let bytes)): kind = try Self.text(bytes)
            case (7, .bytes(let bytes)): user = try Self.text(bytes)
            case (8, .bytes(let bytes)): source = try Self.sourceName(bytes)
            case (12, .number(let number)): rev = number
            default: break
            }
        }
        guard fields.isWhole else { throw .missing("a readable landmark") }
        guard let id else { throw .missing("the 16 bytes of the landmark's id") }
        if !WireText.isASCII(name) { _ = try Self.text(name) }
        (self.id, self.rev) = (id, rev)
        coordinate = try Coordinate(wireLatitude: lat, longitude: lng)
        (self.name, self.kind, self.user, self.source) = (name, kind, user, source)
    }

    /// Lends the name in the form that it is sorted by: case and accents folded.
    func withFoldedName<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        guard WireText.isASCII(name) else {
            var folded = String(decoding: name, as: UTF8.self).foldedForSorting
            // Folding can lengthen the name; together with the landmark it still has to fit into a block of the
            // store.
            return folded.withUTF8 {
                body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer($0).prefix(1 << 20)))
            }
        }
        return withUnsafeTemporaryAllocation(byteCount: name.count, alignment: 1) { folded in
            for index in 0..<name.count {
                let byte = name[index]
                folded[index] = byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte
            }
            return body(UnsafeRawBufferPointer(folded))
        }
    }

    private static func sourceName(_ bytes: UnsafeRawBufferPointer) throws(InvalidInput) -> String {
        var fields = WireFields(bytes)
        var name = ""
        while let (field, value) = fields.next() {
            if field == 1, case .bytes(let bytes) = value { name = try text(bytes) }
        }
        guard fields.isWhole else { throw .missing("a readable source") }
        return name
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) throws(InvalidInput) -> String {
        guard let text = WireText.string(bytes) else { throw .missing("a text in UTF-8") }
        return text
    }
}

/// The id and place of an encoded landmark: the index is built from these before the rest is read.
struct LandmarkPlace {
    let id: Landmark.ID
    let coordinate: Coordinate

    /// - Throws: an error if the bytes hold no id or no valid place.
    init(_ bytes: UnsafeRawBufferPointer) throws(InvalidInput) {
        var id: Landmark.ID?
        var (lat, lng) = (0.0, 0.0)
        var fields = WireFields(bytes)
        while let (field, value) = fields.next() {
            switch (field, value) {
            case (1, .bytes(let bytes)): id = UUIDv7(bytes: bytes)
            case (3, .fixed64(let bits)): lat = Double(bitPattern: bits)
            case (4, .fixed64(let bits)): lng = Double(bitPattern: bits)
            default: break
            }
        }
        guard fields.isWhole else { throw .missing("a readable landmark") }
        guard let id else { throw .missing("the 16 bytes of the landmark's id") }
        self.id = id
        coordinate = try Coordinate(wireLatitude: lat, longitude: lng)
    }
}
