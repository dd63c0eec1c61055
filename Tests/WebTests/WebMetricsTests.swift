// SPDX-License-Identifier: Apache-2.0

import Monitoring
import TestTurns
import Testing

@testable import Web

@Suite("The metrics of the HTTP interface", .computing)
struct WebMetricsTests {
    @Test("many threads lose nothing, while others read")
    func manyThreads() async {
        let metrics = WebMetrics()
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<2_000 { metrics.answered("/v1/near", status: 200, in: .milliseconds(1), bytes: 3) }
                }
                group.addTask {
                    for _ in 0..<50 { _ = metrics.families }
                }
            }
        }
        let lines = PrometheusText.write(metrics.families).split(separator: "\n")
        for line in [
            "waymark_web_requests_total{route=\"/v1/near\",class=\"2xx\"} 16000",
            "waymark_web_request_seconds_count{route=\"/v1/near\"} 16000", "waymark_web_answer_bytes_total 48000",
        ] {
            #expect(lines.contains { $0 == line }, "\(lines)")
        }
    }
}
