// SPDX-License-Identifier: Apache-2.0

internal import WaymarkClient

/// Filters that name a fence. The name is resolved once, when the request begins: whoever replaces the fence later
/// changes nothing for the answer, nor for a stream or a hook.
extension WebContext {
    /// Returns a client that reads for the sender of the request, who decides which private fences there are.
    func reading(_ request: WebRequest) -> WaymarkClient { client.acting(for: request.reader) }

    /// Returns the filter in the parameters ``WebRoute/Parameter/filters``.
    func filter(_ request: WebRequest) async throws -> LandmarkFilter {
        let asked = try request.query.filter()
        guard let name = try request.query.fence() else { return asked }
        return try LandmarkFilter(try await filter(asked.feed, within: name, for: request)).or(
            .invalid(
                "The fence names several users or sources, or more than \(LandmarkFilter.mostKinds) kinds: only "
                    + "/v1/changes takes it."))
    }

    /// Returns a filter with the conditions of a fence.
    ///
    /// - Parameter fence: the fence's name; nil for the filter as it is.
    func filter(_ filter: FeedFilter, within fence: String?, for request: WebRequest) async throws -> FeedFilter {
        guard let fence else { return filter }
        guard filter.area == nil else {
            throw Problem.invalid("A fence stands in place of an area: leave within, or the circle, out.")
        }
        let kept = try await Problem.of { try await reading(request).fences.find(fence) }.filter
        do {
            var both = try filter.narrowed(by: kept)
            both.area = kept.area
            return both
        } catch {
            throw Problem.invalid("The fence says which \(error.rawValue) it takes: leave \(error.rawValue) out.")
        }
    }
}

extension WebQuery {
    /// Returns the name in the parameter `fence`; nil if the parameter is missing.
    func fence() throws(Problem) -> String? {
        try value("fence", "the name of a fence") { $0.isEmpty ? nil : $0 }
    }
}
