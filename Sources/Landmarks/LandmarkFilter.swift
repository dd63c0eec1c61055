// SPDX-License-Identifier: Apache-2.0

/// Selects the landmarks of an answer: every given field must match. An empty text matches landmarks without a value in
/// that field.
public struct LandmarkFilter: Hashable, Sendable {
    public static let mostKinds = 100

    /// The kinds, which must match exactly: `restaurant` does not include `meal_takeaway`. Empty for any kind.
    public var kinds: Set<String>
    public var user: String?
    public var source: String?
    public var area: Area?

    public init(
        kinds: [String] = [], user: String? = nil, source: String? = nil, area: Area? = nil
    ) {
        self.area = area
        // The texts are converted to normal form, because the stored texts have this form and are compared by bytes.
        (self.kinds, self.user, self.source) = (Set(kinds.map(\.normal)), user?.normal, source?.normal)
    }

    public var isEmpty: Bool { kinds.isEmpty && user == nil && source == nil && area == nil }

    public func matches(_ landmark: Landmark) -> Bool {
        if !kinds.isEmpty, !kinds.contains(landmark.kind) { return false }
        if let user, landmark.user != user { return false }
        if let source, (landmark.source?.name ?? "") != source { return false }
        return area?.contains(landmark.coordinate) ?? true
    }

    /// The same conditions for a feed.
    public var feed: FeedFilter {
        FeedFilter(
            area: area, kinds: kinds, users: Set([user].compactMap(\.self)), sources: Set([source].compactMap(\.self)))
    }

    /// Nil if the filter has more users, sources or kinds than a question about landmarks takes.
    public init?(_ filter: FeedFilter) {
        guard filter.users.count < 2, filter.sources.count < 2, filter.kinds.count <= Self.mostKinds else { return nil }
        self.init(
            kinds: Array(filter.kinds), user: filter.users.first, source: filter.sources.first, area: filter.area)
    }
}
