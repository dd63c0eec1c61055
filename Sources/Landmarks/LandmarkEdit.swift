// SPDX-License-Identifier: Apache-2.0

public import Geodesy

/// A change of some fields of a landmark. The other fields stay.
public struct LandmarkEdit: Hashable, Sendable {
    public let name: String?
    public let coordinate: Coordinate?
    /// The new values. An attribute that has no value here is cleared if `cleared` contains it; otherwise it stays.
    public let attributes: Attributes
    public let cleared: Set<Attribute>

    /// - Parameter attributes: the new values; other attributes stay. A value of only white space clears the attribute.
    /// - Throws: an error that names the first rule that a value breaks, or ``InvalidInput/nothingToChange``.
    public init(
        name: String? = nil, coordinate: Coordinate? = nil, attributes: Attributes = Attributes(),
        cleared: Set<Attribute> = []
    ) throws(InvalidInput) {
        let checked = try attributes.checked()
        var cleared = cleared
        for attribute in Attribute.allCases {
            if checked[attribute] != nil {
                cleared.remove(attribute)
            } else if attributes[attribute] != nil {
                cleared.insert(attribute)
            }
        }
        if name == nil, coordinate == nil, checked == Attributes(), cleared.isEmpty { throw .nothingToChange }
        self.name = try name.map { text throws(InvalidInput) in try LandmarkRules.name(text) }
        self.coordinate = coordinate
        self.attributes = checked
        self.cleared = cleared
    }

    /// Returns `landmark` with the edited fields replaced.
    public func applied(to landmark: Landmark) -> Landmark {
        var edited = landmark
        if let name { edited.name = name }
        if let coordinate { edited.coordinate = coordinate }
        for attribute in Attribute.allCases where attributes[attribute] != nil || cleared.contains(attribute) {
            // An attribute without a new value is cleared by copying none.
            edited.attributes.copy(attribute, from: attributes)
        }
        return edited
    }
}
