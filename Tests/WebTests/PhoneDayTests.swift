// SPDX-License-Identifier: Apache-2.0

import TestSupport
import TestTurns
import TestWeb
import Testing

@Suite("A phone's day", .inTurn)
struct PhoneDayTests {
    @Test("a day of 5,000 positions in bad order over a connection that is cut is one track, each point once")
    func aDay() async throws {
        try await withStage { stage, _ in
            let (phone, count) = (try await WebPhone.join(stage), 5_000)
            var random = SplitMix64(seed: 43)
            func feature(_ second: Int) -> String {
                #"""
                {"type":"Feature","geometry":{"type":"Point","coordinates":[\#(151 + Double(second) / 8_192),-33.8]},\#
                "properties":{"timestamp":\#(1_764_200_000 + second * 17),"speed":1}}
                """#
            }
            var order = Array(0..<count).shuffled(using: &random)
            order += (0..<500).map { _ in Int.random(in: 0..<count, using: &random) }
            for start in stride(from: 0, to: order.count, by: 250) {
                let body = #"{"locations":[\#(order[start..<start + 250].map(feature).joined(separator: ","))]}"#
                let head = """
                    POST /v1/track/overland HTTP/1.1\r\nhost: 127.0.0.1:\(stage.port)\r\nauthorization: Bearer \(phone.key)\r
                    content-type: application/json\r\ncontent-length: \(body.utf8.count)\r\n\r\n
                    """
                // The connection breaks while the body goes out, and then before the answer comes.
                for sent in [body.prefix(body.count / 2), body[...]] {
                    try SlowRequest(port: stage.port, head + sent).cut()
                }
                let answer = try await stage.ask(
                    "POST", "/v1/track/overland",
                    headers: ["authorization": "Bearer \(phone.key)", "content-type": "application/json"], body: body)
                #expect(answer.status == 200 && answer.json["result"] as? String == "ok", "\(answer.text)")
            }
            let track = try await phone.track()
            #expect(track.compactMap { $0["lng"] as? Double } == (0..<count).map { 151 + Double($0) / 8_192 })
            #expect(Set(track.compactMap { $0["at"] as? String }).count == count)
            let landmark = try await stage.ask("GET", "/v1/landmarks/\(phone.landmark)")
            #expect(landmark.json["lng"] as? Double == 151 + Double(count - 1) / 8_192)
            let user = ["waymark-user": "ann"], path = "/v1/landmarks/\(phone.landmark)/track"
            let half = "2025-11-27T11:26:00Z"
            let erased = try await stage.ask("DELETE", "\(path)?before=\(half)", headers: user)
            let rest = try await phone.track().compactMap { $0["at"] as? String }
            #expect(erased.json["points"] as? Int == count - rest.count && rest.allSatisfy { $0 >= half })
            #expect(try await stage.ask("DELETE", path, headers: user).json["points"] as? Int == rest.count)
            #expect(try await phone.track().isEmpty)
        }
    }
}
