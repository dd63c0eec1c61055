// SPDX-License-Identifier: Apache-2.0

public import Geodesy

/// A landmark as a person or a source proposes it: checked, but without id, version or revision.
@dynamicMemberLookup
public struct LandmarkDraft: Hashable, Sendable {
    public var name: String
    public var coordinate: Coordinate
    public var attributes: Attributes

    /// Accepts only values that can be stored.
    ///
    /// - Throws: the first rule that a value breaks.
    public init(name: String, coordinate: Coordinate, attributes: Attributes) throws(InvalidInput) {
        self.name = try LandmarkRules.name(name)
        self.coordinate = coordinate
        self.attributes = try attributes.checked()
    }

    /// Makes a draft with the attributes that most landmarks have.
    ///
    /// - Throws: the first rule that a value breaks.
    public init(name: String, coordinate: Coordinate, kind: String = "", link: String = "") throws(InvalidInput) {
        try self.init(name: name, coordinate: coordinate, attributes: Attributes(kind: kind, link: link))
    }

    // Inlinable, so that the compiler replaces the key path by the property.
    @inlinable
    public subscript<Value>(dynamicMember path: WritableKeyPath<Attributes, Value>) -> Value {
        get { attributes[keyPath: path] }
        set { attributes[keyPath: path] = newValue }
    }

    /// `landmark` with those fields replaced in which this draft differs from the `previous` one of its source.
    ///
    /// Thus a field that a person has edited stays theirs until the source itself changes it.
    public func merged(into landmark: Landmark, previous: LandmarkDraft) -> Landmark {
        var merged = landmark
        if name != previous.name { merged.name = name }
        if coordinate != previous.coordinate { merged.coordinate = coordinate }
        if attributes != previous.attributes {
            for attribute in Attribute.allCases where attributes[attribute] != previous.attributes[attribute] {
                merged.attributes.copy(attribute, from: attributes)
            }
        }
        return merged
    }
}
