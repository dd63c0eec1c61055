// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import Monitoring

/// Compares the text format with cases written by hand.
@Suite(.inShortTurn)
struct PrometheusTextTests {
    @Test
    func aCounterWithoutLabels() {
        let family = MetricFamily(.counter("waymark_commits_total", help: "Commits."), [MetricSeries([], .number(12))])
        #expect(
            PrometheusText.write([family]) == """
                # HELP waymark_commits_total Commits.
                # TYPE waymark_commits_total counter
                waymark_commits_total 12

                """)
    }

    @Test
    func labelsAreEscaped() {
        let hostile = "a\\b\"c\nd} 1\n# TYPE"
        let family = MetricFamily(
            .gauge("waymark_source_rows", labels: ["source", "kind"], help: "Rows \\ of\na \"source\"."),
            [MetricSeries([hostile, "é"], .number(0.5))])
        #expect(
            PrometheusText.write([family]) == #"""
                # HELP waymark_source_rows Rows \\ of\na "source".
                # TYPE waymark_source_rows gauge
                waymark_source_rows{source="a\\b\"c\nd} 1\n# TYPE",kind="é"} 0.5

                """#)
    }

    @Test
    func histogramsAreCumulative() {
        let definition = MetricDefinition.histogram(
            "waymark_seconds", labels: ["class"], bounds: [0.00005, 0.1, 1], help: "Times.")
        let family = MetricFamily(definition, [MetricSeries(["read"], .histogram(counts: [2, 0, 3, 1], sum: 7.25))])
        #expect(
            PrometheusText.write([family]) == """
                # HELP waymark_seconds Times.
                # TYPE waymark_seconds histogram
                waymark_seconds_bucket{class="read",le="5e-05"} 2
                waymark_seconds_bucket{class="read",le="0.1"} 2
                waymark_seconds_bucket{class="read",le="1"} 5
                waymark_seconds_bucket{class="read",le="+Inf"} 6
                waymark_seconds_sum{class="read"} 7.25
                waymark_seconds_count{class="read"} 6

                """)
    }

    @Test(arguments: [
        (0.0, "0"), (-3, "-3"), (1e15, "1000000000000000"), (1e300, "1e+300"), (.infinity, "+Inf"),
        (-.infinity, "-Inf"), (.nan, "NaN"), (1_763_709_600.25, "1763709600.25"),
    ])
    func numbers(value: Double, text: String) {
        let family = MetricFamily(.gauge("x", help: ""), [MetricSeries([], .number(value))])
        #expect(PrometheusText.write([family]) == "# TYPE x gauge\nx \(text)\n")
    }
}
