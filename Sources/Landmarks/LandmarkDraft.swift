// SPDX-License-Identifier: Apache-2.0

public import Geodesy

/// A landmark as a person or a source proposes it: checked, but without id, version or revision.
public struct LandmarkDraft: Hashable, Sendable {
    public var name: String
    public var coordinate: Coordinate
    public var kind: String
    public var link: String
    public var rating: Double?

    /// Takes only what can be stored.
    ///
    /// - Throws: the first rule of ``LandmarkRules`` that a value breaks.
    public init(
        name: String, coordinate: Coordinate, kind: String = "", link: String = "", rating: Double? = nil
    ) throws(InvalidInput) {
        self.name = try LandmarkRules.name(name)
        self.coordinate = coordinate
        self.kind = try LandmarkRules.kind(kind)
        self.link = try LandmarkRules.link(link)
        self.rating = try rating.map { value throws(InvalidInput) in try LandmarkRules.rating(value) }
    }
}

/// Some fields of a landmark, to be changed; nil leaves a field as it is.
public struct LandmarkEdit: Hashable, Sendable {
    public var name: String?
    public var coordinate: Coordinate?
    public var kind: String?
    public var link: String?

    /// - Throws: the first rule of ``LandmarkRules`` that a value breaks, or ``InvalidInput/nothingToChange``.
    public init(
        name: String? = nil, coordinate: Coordinate? = nil, kind: String? = nil, link: String? = nil
    ) throws(InvalidInput) {
        if name == nil, coordinate == nil, kind == nil, link == nil { throw .nothingToChange }
        self.name = try name.map { text throws(InvalidInput) in try LandmarkRules.name(text) }
        self.coordinate = coordinate
        self.kind = try kind.map { text throws(InvalidInput) in try LandmarkRules.kind(text) }
        self.link = try link.map { text throws(InvalidInput) in try LandmarkRules.link(text) }
    }

    /// `landmark` with these fields in it.
    public func applied(to landmark: Landmark) -> Landmark {
        var edited = landmark
        if let name { edited.name = name }
        if let coordinate { edited.coordinate = coordinate }
        if let kind { edited.kind = kind }
        if let link { edited.link = link }
        return edited
    }
}

extension LandmarkDraft {
    /// `landmark` with those fields taken over in which this draft differs from the `previous` one of its source.
    ///
    /// A field that a person has edited thus stays theirs until the source itself says something new about it.
    public func merged(into landmark: Landmark, previous: LandmarkDraft) -> Landmark {
        var merged = landmark
        if name != previous.name { merged.name = name }
        if coordinate != previous.coordinate { merged.coordinate = coordinate }
        if kind != previous.kind { merged.kind = kind }
        if link != previous.link { merged.link = link }
        if rating != previous.rating { merged.rating = rating }
        return merged
    }
}
