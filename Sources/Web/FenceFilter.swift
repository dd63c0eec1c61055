// SPDX-License-Identifier: Apache-2.0

internal import WaymarkClient

/// Filters that name a fence. The name is resolved once, when the request begins: whoever replaces the fence later
/// changes nothing for the answer, nor for a stream or a hook.
extension WebContext {
    /// Returns the filter in the parameters ``WebRoute/Parameter/filters``.
    func filter(_ query: WebQuery) async throws -> LandmarkFilter {
        let asked = try query.filter()
        guard let name = try query.fence() else { return asked }
        let sets = FeedFilter(
            area: asked.area, kinds: asked.kinds, users: Set([asked.user].compactMap(\.self)),
            sources: Set([asked.source].compactMap(\.self)))
        let found = try await filter(sets, within: name)
        guard found.users.count < 2, found.sources.count < 2 else {
            throw Problem.invalid("The fence names several users or sources: only /v1/changes takes it.")
        }
        return LandmarkFilter(
            kinds: Array(found.kinds), user: found.users.first, source: found.sources.first, area: found.area)
    }

    /// Returns a filter with the conditions of a fence.
    ///
    /// - Parameter fence: the fence's name; nil for the filter as it is.
    func filter(_ filter: FeedFilter, within fence: String?) async throws -> FeedFilter {
        guard let fence else { return filter }
        guard filter.area == nil else {
            throw Problem.invalid("A fence stands in place of an area: leave within, or the circle, out.")
        }
        let kept = try await Problem.of { try await client.fence(named: fence) }.filter
        var both = filter
        both.area = kept.area
        both.kinds = try Self.one(of: filter.kinds, kept.kinds, "kind")
        both.users = try Self.one(of: filter.users, kept.users, "user")
        both.sources = try Self.one(of: filter.sources, kept.sources, "source")
        return both
    }

    private static func one(of asked: Set<String>, _ kept: Set<String>, _ name: String) throws(Problem) -> Set<String> {
        guard asked.isEmpty || kept.isEmpty else {
            throw Problem.invalid("The fence says which \(name) it takes: leave \(name) out.")
        }
        return asked.union(kept)
    }
}

extension WebQuery {
    /// Returns the name in the parameter `fence`; nil if the parameter is missing.
    func fence() throws(Problem) -> String? {
        try value("fence", "the name of a fence") { $0.isEmpty ? nil : $0 }
    }
}
