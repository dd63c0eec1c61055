// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hooks
import Monitoring
import QueryService
import StorageService
import TestTurns
import Testing
import Web

/// The documentation and the dashboard describe exactly the metrics that exist.
@Suite(.inShortTurn)
struct CatalogueTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static let definitions = Dictionary(
        (StorageMetrics.definitions + QueryMetrics.definitions + WebMetrics.definitions + HookMetrics.definitions)
            .map { ($0.name, $0) }
    ) { one, _ in one }

    private struct Row: Hashable {
        var name: String
        var kind: String
        var labels: [String]
        var help: String
    }

    @Test
    func theTableDescribesEachMetricInTheWordsOfItsHelp() throws {
        let page = Self.root.appending(path: "Sources/Monitoring/Monitoring.docc/Monitoring.md")
        let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
            .map { line in
                line.split(separator: "|", omittingEmptySubsequences: false)
                    .map { $0.trimmingCharacters(in: .whitespaces) }
            }
            .filter { $0.count == 7 && ["counter", "gauge", "histogram"].contains($0[2]) }
        let described = rows.map { columns in
            Row(
                name: columns[1].trimmingCharacters(in: ["`"]), kind: columns[2],
                labels: columns[3].split(separator: ",").map {
                    $0.trimmingCharacters(in: .whitespaces).trimmingCharacters(in: ["`"])
                }, help: columns[4])
        }
        let known = Self.definitions.values.map {
            Row(name: $0.name, kind: $0.kind.rawValue, labels: $0.labels, help: $0.help)
        }
        #expect(Set(described).symmetricDifference(known).map(\.name).sorted() == [])
        #expect(described.count == known.count)
    }

    @Test
    func namesFollowTheConventions() {
        for definition in Self.definitions.values {
            #expect(definition.name.wholeMatch(of: /(waymark|process)_[a-z0-9_]+[a-z0-9]/) != nil)
            #expect(definition.name.hasSuffix("_total") == (definition.kind == .counter))
            #expect(definition.kind == .histogram ? !definition.bounds.isEmpty : definition.bounds.isEmpty)
            #expect(definition.bounds == definition.bounds.sorted())
            #expect(!definition.help.isEmpty && definition.help.hasSuffix("."))
        }
    }

    @Test
    func theDashboardShowsEachMetricAndNoOther() throws {
        let file = Self.root.appending(path: "docker/grafana/waymark.json")
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
        let dashboard = try #require(json as? [String: Any])
        let panels = try #require(dashboard["panels"] as? [[String: Any]]).filter { $0["type"] as? String != "row" }
        let expressions = panels.flatMap { panel in
            (panel["targets"] as? [[String: Any]] ?? []).compactMap { $0["expr"] as? String }
        }
        #expect(Self.metrics(expressions).symmetricDifference(Self.definitions.keys).sorted() == [])
        for panel in panels {
            let config = panel["fieldConfig"] as? [String: Any]
            #expect((config?["defaults"] as? [String: Any])?["unit"] is String)
            let source = panel["datasource"] as? [String: String]
            #expect(source == ["type": "prometheus", "uid": "${datasource}"])
        }
        let ids = panels.compactMap { $0["id"] as? Int }
        #expect(Set(ids).count == panels.count)
        let templating = try #require(dashboard["templating"] as? [String: Any])
        let variables = (templating["list"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
        #expect(variables == ["datasource", "job", "instance"])
    }

    @Test
    func theAlarmsWatchMetricsThatExist() throws {
        let rules = try String(contentsOf: Self.root.appending(path: "config/alarms.yaml"), encoding: .utf8)
        let watched = Self.metrics([rules])
        #expect(watched.subtracting(Self.definitions.keys).sorted() == [])
        #expect(watched.count > 15)
    }

    /// The metrics that the expressions name.
    private static func metrics(_ expressions: [String]) -> Set<String> {
        var names: Set<String> = []
        for match in expressions.flatMap({ $0.matches(of: /\b(waymark|process)_[a-z0-9_]+/) }) {
            var name = String(match.output.0)
            if let cut = name.range(of: "_bucket", options: [.backwards, .anchored]) {
                name.removeSubrange(cut)
                #expect(definitions[name]?.kind == .histogram)
            }
            names.insert(name)
        }
        return names
    }
}
