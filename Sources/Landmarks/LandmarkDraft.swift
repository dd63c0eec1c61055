// SPDX-License-Identifier: Apache-2.0

public import Geodesy

/// A landmark as a person or a source proposes it. Its values are checked, but it has no id, version or revision.
@dynamicMemberLookup
public struct LandmarkDraft: Hashable, Sendable {
    public var name: String
    public var coordinate: Coordinate
    public var attributes: Attributes

    /// Makes a draft from values that can be stored.
    ///
    /// - Throws: an error that names the first rule that a value breaks.
    public init(name: String, coordinate: Coordinate, attributes: Attributes) throws(InvalidInput) {
        self.name = try LandmarkRules.name(name)
        self.coordinate = coordinate
        self.attributes = try attributes.checked()
    }

    /// Makes a draft with the attributes that most landmarks have.
    ///
    /// - Throws: an error that names the first rule that a value breaks.
    public init(name: String, coordinate: Coordinate, kind: String = "", link: String = "") throws(InvalidInput) {
        try self.init(name: name, coordinate: coordinate, attributes: Attributes(kind: kind, link: link))
    }

    // Inlinable, so that the compiler replaces the key path by access to the property.
    @inlinable
    public subscript<Value>(dynamicMember path: WritableKeyPath<Attributes, Value>) -> Value {
        get { attributes[keyPath: path] }
        set { attributes[keyPath: path] = newValue }
    }

    /// Returns `landmark` with new values where this draft differs from the `previous` draft of the same source.
    ///
    /// So a field that a person has edited keeps its value until the source itself changes it.
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
