// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Landmarks
import WaymarkJSON

/// Options that select changes by their landmark. If an option is repeated, a landmark must match one of its values. If
/// several options are given, it must match all of them.
struct FeedFilterOptions: ParsableArguments {
    @Option(.location, "Only within --radius of this position: \(Location.forms).")
    var near: Location?

    @Option(.distance, "The greatest distance from --near: metres, or with m, km or mi.")
    var radius: Double?

    @Option(.area, "Only between these parallels and meridians, in degrees, or within the polygon of a GeoJSON file.")
    var within: Area?

    @Option(.fence, ArgumentHelp.fence)
    var fence: String?

    @Option(.kind, "Only landmarks of this kind, such as beach. Repeat it for several.")
    var kind: [String] = []

    @Option(.user, "Only landmarks that this user added. Repeat it for several.")
    var user: [String] = []

    @Option(.source, "Only landmarks from this source. Repeat it for several.")
    var source: [String] = []

    func validate() throws {
        try refuse(if: (near == nil) != (radius == nil), "--near and --radius together define the area: give both.")
        try refuse(if: near != nil && within != nil, "--near and --within both name an area: give one of them.")
        try refuse(
            if: fence != nil && (near != nil || within != nil),
            "--fence stands in place of an area: leave --near, --radius and --within out.")
    }

    func filter(in session: Session) async throws -> FeedFilter {
        var filter = FeedFilter()
        // Values are converted to the form in which they are stored: "Train Station" is the kind train_station.
        for text in kind { filter.kinds.insert(try LandmarkRules.kind(text)) }
        for text in user { filter.users.insert(try LandmarkRules.user(text)) }
        for text in source { filter.sources.insert(try LandmarkRules.source(text)) }
        if let near, let radius { filter.area = try .circle(at: near.coordinate(session.output), radius: radius) }
        if let within { filter.area = within }
        return try await session.filter(fence, narrowedBy: filter)
    }
}

/// Options that select changes by their landmark's id and by their operation, for readers of changes.
struct ChangeFilterOptions: ParsableArguments {
    @Option(.reference, "Only the landmark with this id, beginning of an id, or name. Repeat it for several.")
    var id: [LandmarkReference] = []

    @Option(
        ValueForm<[FeedOperation]>(word: "operations", read: Values.operations),
        "Only these operations: added, changed, removed, noted, entered, left; with commas, or repeated.")
    var op: [[FeedOperation]] = []

    func narrow(_ filter: inout FeedFilter, in session: Session) async throws {
        for reference in id { filter.ids.insert(try await session.id(reference)) }
        filter.operations = Set(op.joined())
    }
}

extension Values {
    /// Reads operations separated by commas: `added,left`.
    static func operations(_ text: String) throws -> [FeedOperation] {
        let known = FeedOperation.allCases.map(\.rawValue).joined(separator: ", ")
        return try text.split(separator: ",", omittingEmptySubsequences: false).map { word in
            try FeedOperation(rawValue: String(word))
                .orBad("there is no operation \"\(Escaping.visible(String(word)))\"; there are \(known).")
        }
    }
}
