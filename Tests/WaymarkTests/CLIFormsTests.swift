// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import TestTurns
import Testing
import WaymarkJSON
import WaymarkProtocol

@testable import WaymarkCLI
@testable import WaymarkClient

@Suite("Units, GeoJSON, differences, and the messages of up", .inShortTurn)
struct CLIFormsTests {
    @Test(
        arguments: [
            (12_345.678, nil, "12.346 km"), (444.984, nil, "444.984 m"), (12_345.678, DistanceUnit.m, "12345.678 m"),
            (500, .km, "0.500 km"), (1_609.344, .mi, "1.000 mi"), (0.3048, .ft, "1.0 ft"), (.nan, .ft, "-"),
        ])
    func distances(_ metres: Double, _ unit: DistanceUnit?, _ text: String) {
        #expect(Figures.distance(metres, in: unit) == text)
    }

    @Test func theUnitIsAnOptionOrAVariable() throws {
        let sink = MemorySink()
        func surroundings(_ unit: String) -> Surroundings {
            Surroundings(environment: ["WAYMARK_UNITS": unit], out: sink, err: sink)
        }
        let none = try UnitOptions.parse([])
        #expect(try none.unit(surroundings("")) == nil && none.unit(surroundings("mi")) == .mi)
        #expect(try UnitOptions.parse(["--units", "ft"]).unit(surroundings("mi")) == .ft)
        #expect(throws: Failure.usage("WAYMARK_UNITS must be one of m, km, mi, ft.")) {
            try none.unit(surroundings("miles"))
        }
    }

    @Test func aCollectionOfFeatures() throws {
        let hit = Hit(landmark: try exampleLandmark(), distance: 12.5, bearing: 90)
        for count in 0...2 {
            let sink = MemorySink()
            let surroundings = Surroundings(environment: [:], out: sink, err: MemorySink())
            var printer = HitPrinter(surroundings.output(.json, .never), as: .geojson, isMeasured: true)
            try printer.print(Array(repeating: hit, count: count))
            try printer.finish(cursor: nil, showsCursor: false)
            let whole = try #require(try JSONSerialization.jsonObject(with: Data(sink.text.utf8)) as? [String: Any])
            #expect(whole["type"] as? String == "FeatureCollection")
            let features = try #require(whole["features"] as? [[String: Any]])
            #expect(features.count == count)
            guard let feature = features.first else { continue }
            #expect(feature["type"] as? String == "Feature" && feature["id"] as? String == hit.landmark.id.description)
            let point = try #require(feature["geometry"] as? [String: Any])
            #expect(point["type"] as? String == "Point" && point["coordinates"] as? [Double] == [151.2745, -33.8951])
            let properties = try #require(feature["properties"] as? [String: Any])
            #expect(properties["name"] as? String == hit.landmark.name && properties["kind"] as? String == "pool")
            #expect(properties["distance_m"] as? Double == 12.5 && properties["lat"] == nil)
        }
    }

    @Test(arguments: [HitForm.kml, .gpx, .csv])
    func aDocument(form: HitForm) throws {
        let hit = Hit(landmark: try exampleLandmark(), distance: 12.5, bearing: 90)
        for count in 0...2 {
            let (sink, errors) = (MemorySink(), MemorySink())
            let surroundings = Surroundings(environment: [:], out: sink, err: errors)
            var printer = HitPrinter(surroundings.output(.json, .never), as: form, isMeasured: true)
            try printer.print(Array(repeating: hit, count: count))
            try printer.finish(cursor: nil, showsCursor: false)
            var document = ListDocument(
                try #require(ListForm(rawValue: form.rawValue)), isMeasured: true, tellsOpening: false)
            for _ in 0..<count { hit.withView { document.add($0) } }
            let wanted = String(decoding: document.bytes + document.end(), as: UTF8.self)
            #expect(sink.text == wanted && errors.text.isEmpty)
        }
        // Whoever asks for the state of the hours gets it, in the forms that have room for it.
        let sink = MemorySink()
        let output = Surroundings(environment: [:], out: sink, err: MemorySink()).output(.json, .never)
        var printer = HitPrinter(output, as: form, isMeasured: false)
        let opening = try Opening(encoded: WireOpening.with { $0.state = .closed }.encoded)
        try printer.print([Hit(landmark: hit.landmark, opening: opening)], openingAt: 1)
        #expect(sink.text.contains("closed") == (form != .gpx) && sink.text.contains("Cold."))
    }

    @Test func historySaysWhatChanged() throws {
        let after = try exampleLandmark()
        var before = after
        (before.kind, before.notes) = ("bath", [])
        let change = Change(rev: 42, at: 0, operation: .changed, user: "ann", landmark: after, before: before)
        #expect(change.changedFields == ["kind", "notes"])
        let entries = [42, 41].map {
            LandmarkHistory.Entry(rev: $0, at: 0, operation: .changed, user: "ann", version: 2)
        }
        let found = LandmarkHistory(landmark: after, entries: entries, isCut: false)
        let block = LandmarkBlock.lines(found, Painter(isColoured: false), changes: [42: change])
        let line = try #require(block.first { $0.contains(" 42 ") })
        #expect(line.contains("kind: \"bath\" → \"pool\", note: \"Cold."))
        #expect(try #require(block.first { $0.contains(" 41 ") }).hasSuffix("ann"))
        let narrow = LandmarkBlock.lines(found, Painter(isColoured: false), changes: [42: change], width: 60)
        let at = try #require(narrow.firstIndex { $0.contains(" 42 ") })
        #expect(narrow[at + 1] == "      kind: \"bath\" → \"pool\"" && narrow[at + 2].hasPrefix("      note: \"Cold."))
        #expect(narrow[at + 3].contains(" 41 "))
    }

    @Test func theDefaultSourceIsTheOneOfTheFile() throws {
        let file = try String(contentsOfFile: ProcessBench.repository + "/config/sydney.json", encoding: .utf8)
        #expect(DefaultSource.text == file)
        let rates = try String(contentsOfFile: ProcessBench.repository + "/config/rates.json", encoding: .utf8)
        #expect(DefaultRates.text == rates)
    }

    @Test func upSaysWhatTakesLong() async throws {
        let lines = LineSink()
        let progress = UpProgress("Opening") { try? lines.write(Array(($0 + "\n").utf8)) }
        #expect(try await lines.next().hasPrefix("Opening"))
        progress.end()
        let quick = LineSink()
        let none = UpProgress("Opening") { try? quick.write(Array($0.utf8)) }
        none.end()
        #expect(quick.all.isEmpty)
    }

    @Test func nothingIsOfferedWithoutAService() async {
        let result = await tool(
            "---completion", "near", "--", "--kind", "3", "0", "waymark", "near", "--kind", "",
            environment: ["WAYMARK_CONNECT": "ipc:///nonexistent/waymark.ipc"])
        #expect(result.err.isEmpty)
        let script = await tool("--generate-completion-script", "bash")
        #expect(script.status == 0 && script.out.contains("---completion near -- --kind"))
        for words in ["fence show -- positional@0", "hook test -- positional@0", "tail -- --fence"] {
            #expect(script.out.contains("---completion \(words)"), "\(words)")
        }
        for command in ["backup", "restore"] { #expect(script.out.contains("waymark_\(command)()")) }
    }
}
