// SPDX-License-Identifier: Apache-2.0

public import Landmarks

// To add an attribute, add one field to `Landmark` in waymark.proto. Drafts and edits carry attributes in a `Landmark`.

/// The field of `Landmark` that holds an attribute. Its number comes from the table of attributes.
public struct AttributeField: WireField {
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    public static var allCases: [AttributeField] { Attribute.allCases.map(\.field) }
}

extension Attribute {
    /// The field of `Landmark` that holds this attribute.
    public var field: AttributeField { AttributeField(rawValue: number) }
}
