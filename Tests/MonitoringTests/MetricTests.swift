// SPDX-License-Identifier: Apache-2.0

import Monitoring
import TestTurns
import Testing

/// A table of metrics is all that Prometheus and `status` list.
@Suite(.inShortTurn)
struct MetricTests {
    private struct Counts {
        var commits: UInt64 = 3
        var waits: [UInt64] = [2, 1]
        var rows: [String: UInt64] = ["b": 2, "a": 1]
        var age: Double?
    }

    private struct Whole {
        var counts: Counts?
    }

    private static let table: [Metric<Counts>] = [
        .counter("commits_total", { $0.commits }, status: "commits", help: ""),
        .status("rows") { UInt64($0.rows.count) },
        .gauge("level", { $0.commits + 4 }, help: ""),
        .statuses { $0.rows.sorted { $0.key < $1.key }.map { (name: "rows_\($0.key)", value: $0.value) } },
        .measure("age", { $0.age }, help: ""),
        .series(.histogram("waits", bounds: [0.5], help: "")) {
            [MetricSeries(.histogram(counts: $0.waits, sum: 3.5))]
        },
        .series(.gauge("rows", labels: ["source"], help: "")) {
            $0.rows.map { MetricSeries([$0], .number(Double($1))) }
        },
    ]

    private static let text = """
        # TYPE commits_total counter
        commits_total 3
        # TYPE level gauge
        level 7
        # TYPE rows gauge
        rows{source="a"} 1
        rows{source="b"} 2
        # TYPE waits histogram
        waits_bucket{le="0.5"} 2
        waits_bucket{le="+Inf"} 3
        waits_sum 3.5
        waits_count 3

        """

    @Test
    func bothListsComeFromTheTable() {
        let counts = Counts()
        // A metric without a value is left out, and names and labels are in order.
        #expect(PrometheusText.write(Self.table.families(of: counts)) == Self.text)
        let numbers = Self.table.numbers(of: counts)
        #expect(numbers.map { $0.name } == ["commits", "rows", "rows_a", "rows_b"])
        #expect(numbers.map { $0.value } == [3, 2, 1, 2])
        let measured = PrometheusText.write(Self.table.families(of: Counts(age: 0.25)))
        #expect(measured == "# TYPE age gauge\nage 0.25\n" + Self.text)
    }

    @Test
    func aPartThatIsNotThereCountsNothing() {
        let table = Self.table.prefix(3).map { $0.of { (whole: Whole) in whole.counts } }
        let there = Whole(counts: Counts())
        #expect(table.numbers(of: there).map { $0.value } == [3, 2])
        let text = PrometheusText.write(table.families(of: there))
        #expect(text.hasPrefix("# TYPE commits_total counter\ncommits_total 3\n"))
        let gone = Whole(counts: nil)
        #expect(table.numbers(of: gone).isEmpty)
        #expect(
            PrometheusText.write(table.families(of: gone)) == """
                # TYPE commits_total counter
                commits_total 0
                # TYPE level gauge
                level 0

                """)
    }
}
