// SPDX-License-Identifier: Apache-2.0

import WaymarkClient

extension Session {
    /// Returns the filter of a fence, narrowed by the command's own conditions. The name is looked up only here, at the
    /// beginning of a command: a fence that is replaced later changes nothing for it.
    ///
    /// - Parameters:
    ///   - fence: the fence's name; nil for the own conditions alone.
    ///   - own: the conditions of the command's options, without an area if there is a fence.
    func filter(_ fence: String?, narrowedBy own: FeedFilter) async throws -> FeedFilter {
        guard let fence else { return own }
        let kept = try await client.fences.find(fence).filter
        do {
            return try kept.narrowed(by: own)
        } catch {
            throw Failure.usage("The fence \(fence) has its own --\(error.rawValue): leave --\(error.rawValue) out.")
        }
    }

    func filter(_ fence: String?, narrowedBy own: LandmarkFilter) async throws -> LandmarkFilter {
        guard let fence else { return own }
        guard let filter = LandmarkFilter(try await filter(fence, narrowedBy: own.feed)) else {
            throw Failure.usage(LandmarkFilter.tooMany(of: fence))
        }
        return filter
    }
}

extension LandmarkFilter {
    static func tooMany(of fence: String) -> String {
        "The fence \(fence) has several users or sources, or more than \(mostKinds) kinds: see who is inside with "
            + "\"waymark tail --fence \(fence) --snapshot --no-follow\"."
    }
}
