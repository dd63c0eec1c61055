// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WaymarkClient
import WaymarkJSON

struct DistanceCommand: AskingCommand {
    static let configuration = CommandConfiguration(
        leaf: "distance",
        abstract: "Print metres and bearing between two landmarks or positions.",
        discussion: """
            Prints the length of the shortest path on the WGS84 ellipsoid, and the path's direction at the first place.

              waymark distance -33.8568,151.2153 51.4779,-0.0015
              waymark distance Sydney "Melbourne, Florida"
              waymark distance -33.8568,151.2153 01933c6e-7f3a-7c21-9b0e-2f6d8a41c7e5
            """)

    @Argument(
        .text("place"),
        "The two places, each the id of a landmark, or \(Location.forms). If no town has a name, a landmark may.")
    var words: [String]

    func places() throws -> (PlaceArguments.Place, PlaceArguments.Place) { try PlaceArguments.places(words) }

    @OptionGroup var units: UnitOptions
    @OptionGroup var asking: AskOptions

    func validate() throws { try checked { _ = try places() } }

    func run(in session: Session) async throws {
        let (from, to) = try await (session.place(places().0), session.place(places().1))
        let unit = try units.unit()
        let separation = try await session.client.distance(from: from, to: to)
        let distance = session.output.painter.paint(Figures.distance(separation.distance, in: unit), .bold)
        try session.output.result(
            "\(distance)  \(Figures.bearing(separation.bearing))  "
                + "from \(text(from, separation.from)) to \(text(to, separation.to))"
        ) { $0.fields(separation, from: from, to: to) }
    }

    private func text(_ place: PlaceReference, _ landmark: Landmark?) -> String {
        switch place {
        case .point(let coordinate): Figures.position(coordinate)
        case .landmark(let id): landmark.map { Escaping.visible($0.name) } ?? id.description
        }
    }
}

extension Session {
    fileprivate func place(_ place: PlaceArguments.Place) async throws -> PlaceReference {
        switch place {
        case .landmark(let reference): return .landmark(try await id(reference))
        case .location(let location):
            do throws(Failure) { return .point(try location.coordinate(output)) } catch {
                guard case .town(let name) = location, ["place_not_found", "ambiguous"].contains(error.code),
                    let landmark = try await search(named: name).only
                else { throw error }
                return .landmark(landmark.id)
            }
        }
    }
}
