// SPDX-License-Identifier: Apache-2.0

import Geodesy
public import Landmarks

/// A filter in the form of the histories, which evaluates changes with code of its own, independent of the product's
/// filters.
public struct FilterSpec: Hashable, Sendable {
    public enum Place: Hashable, Sendable {
        case everywhere
        case circle(latitude: Double, longitude: Double, radius: Double)
        case box(south: Double, west: Double, north: Double, east: Double)
    }

    public var place: Place
    public var kinds: [String]
    public var users: [String]

    public init(_ place: Place = .everywhere, kinds: [String] = [], users: [String] = []) {
        (self.place, self.kinds, self.users) = (place, kinds, users)
    }

    public func matches(_ subject: LogEntry.Subject) -> Bool {
        if !kinds.isEmpty, !kinds.contains(subject.kind) { return false }
        if !users.isEmpty, !users.contains(subject.user) { return false }
        let place = subject.coordinate
        switch self.place {
        case .everywhere: return true
        case .box(let south, let west, let north, let east):
            return place.latitude >= south && place.latitude <= north && place.longitude >= west
                && place.longitude <= east
        case .circle(let latitude, let longitude, let radius):
            guard let centre = try? Coordinate(latitude: latitude, longitude: longitude) else { return false }
            return Geodesic.distance(from: centre, to: place) <= radius
        }
    }

    /// The operation that a watcher with this filter must see; nil: none.
    public func operation(of entry: LogEntry) -> FeedOperation? {
        let was = entry.before.map(matches) ?? false
        let isNow = entry.operation != .removed && matches(entry.after)
        if was, isNow { return FeedOperation(entry.operation) }
        if isNow { return entry.operation == .added ? .added : .entered }
        if was { return entry.operation == .removed ? .removed : .left }
        return nil
    }

    /// The product's filter that must have the same meaning.
    public var filter: FeedFilter {
        get throws {
            let area: Area? =
                switch place {
                case .everywhere: nil
                case .circle(let latitude, let longitude, let radius):
                    try .circle(at: Coordinate(latitude: latitude, longitude: longitude), radius: radius)
                case .box(let south, let west, let north, let east):
                    .box(try AreaBox(south: south, west: west, north: north, east: east))
                }
            return FeedFilter(area: area, kinds: Set(kinds), users: Set(users))
        }
    }
}

extension FilterSpec: LosslessStringConvertible {
    /// `circle:1.5,2.5,3000;kinds:a|b;users:ann`, or `*` for everything; no spaces.
    public var description: String {
        var parts: [String] = []
        switch place {
        case .everywhere: break
        case .circle(let latitude, let longitude, let radius): parts.append("circle:\(latitude),\(longitude),\(radius)")
        case .box(let south, let west, let north, let east): parts.append("box:\(south),\(west),\(north),\(east)")
        }
        if !kinds.isEmpty { parts.append("kinds:" + kinds.joined(separator: "|")) }
        if !users.isEmpty { parts.append("users:" + users.joined(separator: "|")) }
        return parts.isEmpty ? "*" : parts.joined(separator: ";")
    }

    public init?(_ text: String) {
        self.init()
        if text == "*" { return }
        for part in text.split(separator: ";") {
            let pair = part.split(separator: ":", maxSplits: 1).map(String.init)
            guard pair.count == 2 else { return nil }
            let numbers = pair[1].split(separator: ",").compactMap { Double($0) }
            switch (pair[0], numbers.count) {
            case ("circle", 3): place = .circle(latitude: numbers[0], longitude: numbers[1], radius: numbers[2])
            case ("box", 4): place = .box(south: numbers[0], west: numbers[1], north: numbers[2], east: numbers[3])
            case ("kinds", _): kinds = pair[1].split(separator: "|").map(String.init)
            case ("users", _): users = pair[1].split(separator: "|").map(String.init)
            default: return nil
            }
        }
    }
}
