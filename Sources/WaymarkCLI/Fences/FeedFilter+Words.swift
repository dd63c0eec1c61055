// SPDX-License-Identifier: Apache-2.0

import WaymarkClient
import WaymarkJSON

extension FeedFilter {
    /// The conditions for people, not escaped: `within 500 m of -33.8568,151.2153, kind beach or pool`.
    var words: String {
        let kinds = choice("kind", kinds)
        let others = choice("user", users) + choice("source", sources)
        let changes = choice("operation", operations.map(\.rawValue))
        let all = (area.map { [$0.words] } ?? []) + kinds + others + choice("id", ids.map(\.short)) + changes
        return all.isEmpty ? "everything" : all.joined(separator: ", ")
    }

    private func choice(_ name: String, _ values: some Collection<String>) -> [String] {
        values.isEmpty ? [] : ["\(name) " + values.sorted().map { $0.nilIfEmpty ?? "none" }.joined(separator: " or ")]
    }
}

extension Area {
    fileprivate var words: String {
        switch self {
        case .circle(let centre, let radius):
            return "within \(Figures.number(radius)) m of \(Figures.position(centre))"
        case .box(let box):
            let sides = [box.south, box.west, box.north, box.east].map(Figures.number)
            return "within \(sides.joined(separator: ","))"
        case .polygon(let polygon):
            return "within a polygon of \(polygon.rings.reduce(0) { $0 + $1.count }) corners"
        }
    }
}
