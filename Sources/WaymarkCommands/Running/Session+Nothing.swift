// SPDX-License-Identifier: Apache-2.0

import Landmarks
import Settings
import WaymarkClient
import WaymarkProtocol

extension Session {
    /// Why nothing was found, where it is a kind that no landmark has; nil when it is something else.
    func nothing(of filter: LandmarkFilter) async -> String? {
        guard output.format == .text, let kind = filter.kind,
            let first = try? await client.list(.byRecent, limit: 1, filter: LandmarkFilter(kind: kind)),
            first.hits.isEmpty
        else { return nil }
        // No answer has all kinds. Those of the landmarks that were changed last are a help, and no more is promised.
        let others = (try? await client.list(.byRecent, limit: WaymarkProtocol.pageRows))?.hits ?? []
        let kinds = Set(others.map(\.landmark.kind).filter { !$0.isEmpty })
        let nearest = EditDistance.nearest(to: kind, in: kinds).map { ": did you mean \($0)?" } ?? "."
        return "No landmark has the kind \(kind)\(nearest)"
    }
}
