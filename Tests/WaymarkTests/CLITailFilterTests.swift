// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import TestTurns
import Testing
import WaymarkClient

@testable import WaymarkCLI

@Suite("tail's filters", .inShortTurn)
struct CLITailFilterTests {
    private static let inside = [
        "added quay", "entered bondi", "left quay", "noted bondi", "changed bondi", "removed bondi", "entered quay",
    ]

    /// The expected output of each filter for the nine revisions of ``write(_:_:)``.
    private static let filters: [(arguments: [String], expected: [String])] = [
        (
            [],
            [
                "added quay", "added bondi", "changed bondi", "changed quay", "noted bondi", "changed bondi",
                "added pool", "removed bondi", "changed quay",
            ]
        ),
        (["--near", "-33.8568,151.2153", "--radius", "2km"], inside),
        (["--within", "-33.87,151.2,-33.84,151.23"], inside),
        (
            ["--near", "-33.8568,151.2153", "--radius", "2km", "--op", "left,entered"],
            ["entered bondi", "left quay", "entered quay"]
        ),
        (["--op", "noted", "--op", "removed"], ["noted bondi", "removed bondi"]),
        (["--kind", "Beach"], ["added bondi", "changed bondi", "noted bondi", "left bondi"]),
        (
            ["--kind", "beach", "--kind", "pool"],
            ["added bondi", "changed bondi", "noted bondi", "changed bondi", "added pool", "removed bondi"]
        ),
        (["--user", "ben"], ["added pool"]),
        (["--user", "ben", "--kind", "beach"], []),
        (["--source", "sydney"], []),
        (["--id", "QUAY"], ["added quay", "changed quay", "changed quay"]),
    ]

    @Test("each filter live and from the log, up to the last revision")
    func filters() async throws {
        try await withProcessPair { pair in
            try await withClient(try await pair.client()) { client in
                let near = try Coordinate(latitude: -33.8612, longitude: 151.2108)
                let quay = try await client.add(LandmarkDraft(name: "quay", coordinate: near))
                func start(_ arguments: [String], _ more: String...) -> CLILive {
                    let known = arguments.map { $0 == "QUAY" ? quay.id.description : $0 }
                    return CLILive(
                        ["tail", "-o", "template={op} {name}"] + more + known, environment: pair.variables)
                }
                let lives = Self.filters.map { start($0.arguments, "--since", "0", "--until", "9") }
                for live in lives { _ = try await live.err.next { $0.contains("Following") } }
                try await Self.write(pair, client, quay.id, near)
                for (live, filter) in zip(lives, Self.filters) {
                    #expect(await live.status == 0, "\(live.err.all)")
                    #expect(live.out.lines == filter.expected, "live: \(filter.arguments)")
                }
                for filter in Self.filters {
                    let log = start(filter.arguments, "--no-follow")
                    #expect(await log.status == 0, "\(log.err.all)")
                    #expect(log.out.lines == filter.expected, "from the log: \(filter.arguments)")
                }
            }
        }
    }

    /// Makes the revisions 2 to 10.
    private static func write(
        _ pair: ProcessPair, _ client: WaymarkClient, _ quay: Landmark.ID, _ near: Coordinate
    ) async throws {
        let far = try Coordinate(latitude: -33.8915, longitude: 151.2767)
        let bondi = try await client.add(LandmarkDraft(name: "bondi", coordinate: far, kind: "beach")).id
        _ = try await client.edit(bondi, LandmarkEdit(coordinate: near))
        _ = try await client.edit(quay, LandmarkEdit(coordinate: far))
        _ = try await client.addNote(to: bondi, "Sand.")
        _ = try await client.edit(bondi, LandmarkEdit(attributes: .init(kind: "pool")))
        try await withClient(try await pair.client(user: "ben")) { ben in
            _ = try await ben.add(LandmarkDraft(name: "pool", coordinate: far, kind: "pool"))
        }
        _ = try await client.remove(bondi)
        _ = try await client.edit(quay, LandmarkEdit(coordinate: near))
    }
}
