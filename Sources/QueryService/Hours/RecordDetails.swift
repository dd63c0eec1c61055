// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// The fields of an encoded `Landmark` that opening hours and prominence need. Valid as long as the bytes.
struct RecordDetails {
    /// Degrees. Storage has checked them.
    private(set) var latitude = 0.0
    private(set) var longitude = 0.0
    /// UTF-8; empty without any.
    private(set) var hours = UnsafeRawBufferPointer(start: nil, count: 0)
    private(set) var rating: Double?
    private(set) var ratings: Double?
    private(set) var notes = 0
    private(set) var hasLink = false
    /// An encoded `SourceKey`.
    private var source: UnsafeRawBufferPointer?

    init(_ landmark: UnsafeRawBufferPointer) {
        var fields = WireFields(landmark)
        while let (field, value) = fields.next() {
            switch (LandmarkField(rawValue: field), value) {
            case (.lat, .fixed64(let bits)): latitude = Double(bitPattern: bits)
            case (.lng, .fixed64(let bits)): longitude = Double(bitPattern: bits)
            case (.openingHours, .bytes(let text)): hours = text
            case (.rating, .fixed64(let bits)): rating = Double(bitPattern: bits)
            case (.ratings, .fixed64(let bits)): ratings = Double(bitPattern: bits)
            case (.notes, .bytes): notes += 1
            case (.link, .bytes(let link)): hasLink = !link.isEmpty
            case (.source, .bytes(let key)): source = key
            default: break
            }
        }
    }

    /// Nil without a source.
    var sourceName: String? {
        guard let source else { return nil }
        var fields = WireFields(source)
        while let (field, value) = fields.next() {
            if field == SourceKeyField.name.rawValue, case .bytes(let name) = value { return WireText.string(name) }
        }
        return nil
    }
}
