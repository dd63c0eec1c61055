// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Geodesy
import WaymarkClient
import WaymarkJSON
import WaymarkProtocol
import WaymarkTransport

struct TrackShowCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print a landmark's track: where it has been, with times.",
        discussion: """
              waymark track show "ann's boat" --since 1h
              waymark track show "ann's boat" -o gpx > boat.gpx
              waymark track show 01933c6e-7f3a-7c21-9b0e-2f6d8a41c7e5 -o geojson

            JSON output has one object for each point, oldest first: rev, at, lat, lng, and accuracy and speed where they \
            are known. GeoJSON output is one Feature \
            whose times are in coordTimes. A landmark that was never moved by track has no points.
            """)

    @Argument(.reference, LandmarkReference.help)
    var reference: LandmarkReference

    @Option(
        ValueForm<Moment>(word: "when", read: Values.moment),
        "Only points since a time ago (1h), or a time. (default: all points kept)")
    var since: Moment?

    @OptionGroup var printing: TrackOutputOptions
    @OptionGroup var connection: ConnectionOptions

    func run(in session: Session) async throws {
        let landmark = try await session.client.show(try await session.id(reference), history: 1).landmark
        let output = session.output
        switch printing.output {
        case .json:
            try await pages(landmark, session) { points in
                for point in points { try output.object { $0.fields(point) } }
            }
        case .text:
            var (count, length, last) = (UInt64(0), 0.0, TrackPoint?.none)
            let unit = try printing.units.unit()
            try await pages(landmark, session) { points in
                for point in points {
                    let step = last.map { Geodesic.distance(from: $0.coordinate, to: point.coordinate) }
                    let distance = step.map { "  +" + Figures.distance($0, in: unit) } ?? ""
                    try output.line("\(Timestamp.local(point.at))  \(Figures.position(point.coordinate))\(distance)")
                    (count, length, last) = (count + 1, length + (step ?? 0), point)
                }
            }
            let sum = count > 1 ? ", \(Figures.distance(length, in: unit)) in all" : ""
            try output.line(
                output.painter.paint(
                    "\(Escaping.visible(landmark.name)): \(Figures.count(count, "point", "points"))\(sum)", .bold))
        case .geojson, .gpx:
            var all: [TrackPoint] = []
            try await pages(landmark, session) { all += $0 }
            let isGPX = printing.output == .gpx
            try output.out.write(
                isGPX ? GPX.document(all, of: landmark) : GeoJSON.track(all, of: landmark) + [UInt8(ascii: "\n")])
        }
    }

    private func pages(_ landmark: Landmark, _ session: Session, _ body: ([TrackPoint]) throws -> Void) async throws {
        if case .revision? = since {
            throw ValidationError("The points of a track are in the order of their times: give --since a time.")
        }
        let time = since?.time(now: WallClock.milliseconds) ?? 0
        var next: UInt64? = 0
        while let after = next {
            let page = try await session.client.tracks.page(
                of: landmark.id, since: time, after: after, limit: WaymarkProtocol.bulkRows)
            try body(page.points)
            next = page.next
        }
    }
}

enum TrackForm: String, CaseIterable, ExpressibleByArgument, Sendable {
    case text, json, geojson, gpx
}

struct TrackOutputOptions: PrintingOptions {
    @Option(
        name: [.short, .long],
        help: "How to print: text for people, json for programs (one point per line), geojson, or gpx (GPX 1.1).")
    var output = TrackForm.text

    @Option(name: .color, help: .color) var color = ColourChoice.auto
    @OptionGroup var units: UnitOptions

    var format: OutputFormat { output == .text ? .text : .json }
}
