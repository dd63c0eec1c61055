// SPDX-License-Identifier: Apache-2.0

import Landmarks

extension LandmarkField {
    /// How an attribute is encoded.
    enum AttributeType { case text, number }

    /// By number; nil for a field that is no attribute.
    private static let attributes: [Attribute?] = {
        let fields = Attribute.allCases.map(\.field.rawValue)
        var attributes = [Attribute?](repeating: nil, count: 1 + Int(fields.max() ?? 0))
        for attribute in Attribute.allCases { attributes[Int(attribute.field.rawValue)] = attribute }
        return attributes
    }()

    private static let types: [AttributeType?] = attributes.map { attribute in
        switch attribute?.form {
        case .text: .text
        case .number: .number
        case nil: nil
        }
    }

    var attribute: Attribute? {
        let number = Int(rawValue)
        return number < Self.attributes.count ? Self.attributes[number] : nil
    }

    /// Nil for a number of no attribute.
    static func attributeType(_ number: UInt64) -> AttributeType? {
        number < UInt64(types.count) ? types[Int(number)] : nil
    }
}

extension WireSink {
    /// The attributes whose fields of a landmark have these numbers, in the order of the numbers.
    mutating func attributes(_ values: Attributes, in numbers: Range<UInt64>) {
        for (attribute, field) in Attribute.byField where numbers.contains(field.rawValue) {
            put(values, attribute, as: field)
        }
    }

    /// The attributes that a draft has fields of its own for, in the order of the numbers.
    mutating func draftAttributes(_ values: Attributes) {
        for (attribute, field) in Attribute.byDraftField { put(values, attribute, as: field) }
    }

    fileprivate mutating func put(_ values: Attributes, _ attribute: Attribute, as field: some WireField) {
        switch attribute.form {
        case .text(let access, _): text(field, values[access])
        case .number(let access, _): optional(field, values[access])
        }
    }
}

extension Attribute {
    fileprivate static let byField = allCases.map { ($0, $0.field) }.sorted { $0.1.rawValue < $1.1.rawValue }
    fileprivate static let byDraftField = allCases.compactMap { attribute in
        attribute.draftField.map { (attribute, $0) }
    }.sorted { $0.1.rawValue < $1.1.rawValue }

    init?(draft field: DraftField) {
        guard let attribute = Self.byDraftField.first(where: { $0.1 == field })?.0 else { return nil }
        self = attribute
    }
}

extension Attributes {
    /// An encoded `Landmark` of those that have no field of their own in a draft; nil when none of them has a value.
    var encodedWithoutDraftField: [UInt8]? {
        var wire = WireWriter()
        for (attribute, field) in Attribute.byField where attribute.draftField == nil {
            wire.put(self, attribute, as: field)
        }
        return wire.bytes.isEmpty ? nil : wire.bytes
    }

    /// Takes the value of a field.
    ///
    /// - Returns: false when it is encoded in another way than usual.
    mutating func read(_ attribute: Attribute, _ value: WireFields.Value) -> Bool {
        switch (attribute.form, value) {
        case (.text(let access, _), .bytes(let bytes)):
            guard let text = WireText.string(bytes) else { return false }
            self[access] = text
        case (.number(let access, _), .fixed64(let bits)): self[access] = Double(bitPattern: bits)
        default: return false
        }
        return true
    }

    /// Takes those of an encoded `Landmark`.
    ///
    /// - Returns: false when there is anything else in it, or when it is encoded in another way than usual.
    mutating func read(landmark: UnsafeRawBufferPointer) -> Bool {
        var found = Attributes()
        var fields = WireFields(landmark)
        while let (field, value) = fields.next() {
            guard let attribute = LandmarkField(rawValue: field)?.attribute, found.read(attribute, value) else {
                return false
            }
        }
        takeAll(from: found)
        return fields.isWhole
    }
}
