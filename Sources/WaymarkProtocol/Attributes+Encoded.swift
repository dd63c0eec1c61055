// SPDX-License-Identifier: Apache-2.0

internal import Landmarks

extension Attribute {
    typealias Entry = (attribute: Attribute, isText: Bool)

    /// The attributes, indexed by their field numbers; nil for a number that belongs to no attribute.
    private static let entries: [Entry?] = (0...(allCases.map(\.number).max() ?? 0)).map { number in
        allCases.first { $0.number == number }.map { (attribute: $0, isText: $0.isText) }
    }

    private var isText: Bool { if case .text = form { true } else { false } }

    fileprivate static let byField = allCases.map { ($0, $0.field) }.sorted { $0.1.rawValue < $1.1.rawValue }

    /// Returns the attribute whose field of `Landmark` has this number; nil if no attribute has it.
    static func entry(_ number: UInt64) -> Entry? {
        number < UInt64(entries.count) ? entries[Int(number)] : nil
    }

    init?(number: UInt64) {
        guard let entry = Self.entry(number) else { return nil }
        self = entry.attribute
    }
}

extension WireSink {
    /// Writes the attributes whose fields of `Landmark` are between these two, in the order of the numbers.
    mutating func attributes(_ values: Attributes, after: LandmarkField? = nil, before: LandmarkField? = nil) {
        let numbers = (after?.rawValue ?? 0)..<(before?.rawValue ?? .max)
        for (attribute, field) in Attribute.byField where numbers.contains(field.rawValue) {
            switch attribute.form {
            case .text(let access, _): text(field, values[access])
            case .number(let access, _): optional(field, values[access])
            }
        }
    }
}

extension Attributes {
    /// The attributes as an encoded `Landmark` without any other field; empty if no attribute has a value.
    var encoded: [UInt8] {
        var wire = WireWriter()
        wire.attributes(self)
        return wire.bytes
    }

    /// Sets an attribute to the value of its field.
    ///
    /// - Returns: false if the value is encoded in an unusual way.
    mutating func read(_ attribute: Attribute, _ value: WireFields.Value) -> Bool {
        switch value {
        case .bytes(let bytes): WireText.string(bytes).map { set(attribute, to: .text($0)) } ?? false
        case .fixed64(let bits): set(attribute, to: .number(Double(bitPattern: bits)))
        case .number, .fixed32: false
        }
    }

    /// Sets the attributes of an encoded `Landmark`.
    ///
    /// - Returns: false if the landmark has any other field, or is encoded in an unusual way.
    mutating func read(landmark: UnsafeRawBufferPointer) -> Bool {
        var isAll = true
        var fields = WireFields(landmark)
        while let (field, value) = fields.next() {
            if let attribute = Attribute(number: field), read(attribute, value) { continue }
            isAll = false
        }
        return isAll && fields.isWhole
    }
}
