// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestTurns
import TestWeb
import Testing
import WaymarkClient

@testable import Web

@Suite("Links that end, over HTTP", .inTurn)
struct ShareRouteTests {
    private static let headers = ["content-type": "application/json", "waymark-user": "ann"]

    private func post(_ stage: WebStage, _ path: String, _ body: String) async throws -> PlainHTTP.Answer {
        try await stage.ask("POST", path, headers: Self.headers, body: body)
    }

    private func add(_ stage: WebStage, _ name: String, _ lat: Double, _ lng: Double) async throws -> String {
        let added = try await post(stage, "/v1/landmarks", #"{"name":"\#(name)","lat":\#(lat),"lng":\#(lng)}"#)
        return try #require(added.json["id"] as? String, "\(added.text)")
    }

    private func move(
        _ stage: WebStage, _ id: String, _ lat: Double, _ lng: Double, at time: String = ""
    ) async throws {
        let at = time.isEmpty ? "" : #","at":"\#(time)""#
        let moved = try await post(stage, "/v1/landmarks/\(id)/track", #"{"lat":\#(lat),"lng":\#(lng)\#(at)}"#)
        #expect(moved.status == 201, "\(moved.text)")
    }

    /// - Returns: the headers with which the link is read, and its fingerprint.
    private func share(_ stage: WebStage, _ body: String) async throws -> (headers: [String: String], print: String) {
        try link(await post(stage, "/v1/shares", body))
    }

    private func link(_ made: PlainHTTP.Answer) throws -> (headers: [String: String], print: String) {
        #expect(made.status == 201 && made.headers["cache-control"] == "no-store", "\(made.text)")
        let path = try #require(made.json["path"] as? String, "\(made.text)")
        try #require(path.hasPrefix("/share#") && path.utf8.count == 29)
        let fingerprint = try #require(made.json["fingerprint"] as? String)
        return (["authorization": "Bearer \(path.dropFirst(7))"], fingerprint)
    }

    /// Makes a link that ends soon, and looks at it until it shows something. A busy machine may take longer than the
    /// link lasts, so the next one lasts longer.
    ///
    /// - Returns: the headers with which the link is read, and its reader.
    private func brief(_ stage: WebStage, _ id: String) async throws -> (headers: [String: String], reader: EventReader)
    {
        for lifetime in [6.0, 12, 24] {
            // A whole second, as the link's time is told.
            let end = Date(timeIntervalSince1970: (Date.now.timeIntervalSince1970 + lifetime).rounded(.down))
            let made = try await post(
                stage, "/v1/shares", #"{"landmark":"\#(id)","expires":"\#(end.formatted(.iso8601))"}"#)
            if made.status == 422, Date.now >= end { continue }
            let headers = try link(made).headers
            let reader = try EventReader(port: stage.port, "/v1/shared/changes", headers: headers)
            try await until("the link shows something, or has ended") {
                reader.hasEnded || (reader.status ?? 200) != 200
                    || reader.events.contains { ["shared", "ended"].contains($0.name) }
            }
            if reader.events.contains(where: { $0.name == "shared" }) { return (headers, reader) }
            reader.cut()
        }
        Issue.record("No link has shown anything before its end.")
        throw CocoaError(.featureUnsupported)
    }

    @Test("a link shows one landmark and its moves to whoever has it, and ends by hand while it is watched")
    func life() async throws {
        try await withStage { stage, _ in
            let boat = try await add(stage, "Boat", -33.8, 151.2)
            let other = try await add(stage, "Other", -33.8, 151.2)
            try await move(stage, boat, -33.81, 151.21)
            let link = try await share(stage, #"{"landmark":"\#(boat)","track":true,"label":"For Bob"}"#)
            let shown = try await stage.ask("GET", "/v1/shared", headers: link.headers)
            #expect(shown.status == 200 && shown.headers["cache-control"] == "no-store")
            #expect(shown.json["kind"] as? String == "landmark" && shown.json["label"] as? String == "For Bob")
            #expect(shown.json["until"] is NSNull && shown.json["private"] as? Bool == false)
            let landmark = try #require(shown.json["landmark"] as? [String: Any])
            #expect(Set(landmark.keys) == ["id", "name", "kind", "lat", "lng", "updated"])
            #expect(landmark["name"] as? String == "Boat" && landmark["lat"] as? Double == -33.81)
            let track = try await stage.ask("GET", "/v1/shared/track", headers: link.headers)
            #expect((track.json["track"] as? [[String: Any]])?.map { $0["lat"] as? Double } == [-33.81])

            let reader = try EventReader(port: stage.port, "/v1/shared/changes", headers: link.headers)
            _ = try await reader.wait { $0.contains { $0.name == "shared" } }
            try await move(stage, other, -33.9, 151.3)
            try await move(stage, boat, -33.82, 151.22)
            let moved = try await reader.wait { $0.contains { $0.name == "changed" } }
            let change = try #require(moved.first { $0.name == "changed" })
            #expect(change.data.contains(#""lat":-33.82,"lng":151.22"#) && !change.data.contains("ann"), "\(change)")
            #expect(!moved.contains { $0.data.contains("Other") })

            let list = try await stage.ask("GET", "/v1/shares", headers: Self.headers)
            let row = try #require((list.json["shares"] as? [[String: Any]])?.first, "\(list.text)")
            #expect(row["fingerprint"] as? String == link.print && row["path"] == nil)
            let begun = ContinuousClock.now
            let ended = try await stage.ask("DELETE", "/v1/shares/\(link.print)", headers: Self.headers)
            #expect(ended.status == 204, "\(ended.text)")
            _ = try await reader.wait { $0.contains { $0.name == "ended" } }
            #expect(ContinuousClock.now - begun < .seconds(15))
            for path in ["/v1/shared", "/v1/shared/track", "/v1/shared/changes"] {
                let gone = try await stage.ask("GET", path, headers: link.headers)
                #expect(gone.status == 401 && gone.json["code"] as? String == "key_ended", "\(path): \(gone.text)")
            }
            #expect(try await stage.ask("DELETE", "/v1/shares/\(link.print)", headers: Self.headers).status == 404)
        }
    }

    @Test("within a private fence of the owner no position is told: not now, not live, and not in the track")
    func privateZone() async throws {
        try await withStage { stage, _ in
            let boat = try await add(stage, "Boat", 1, 1)
            for (place, second) in [(2.0, 1), (10.0, 2), (3.0, 3)] {
                try await move(stage, boat, place, place, at: "2026-03-01T09:30:0\(second)Z")
            }
            let zone = #"{"name":"home","within":"9.5,9.5,10.5,10.5","private":true}"#
            let kept = try await post(stage, "/v1/fences", zone)
            #expect(kept.status == 201 && kept.json["private"] as? Bool == true, "\(kept.text)")
            let link = try await share(stage, #"{"landmark":"\#(boat)","track":true}"#)
            let track = try await stage.ask("GET", "/v1/shared/track", headers: link.headers)
            #expect((track.json["track"] as? [[String: Any]])?.map { $0["lat"] as? Double } == [2, 3], "\(track.text)")
            let reader = try EventReader(port: stage.port, "/v1/shared/changes", headers: link.headers)
            _ = try await reader.wait { $0.contains { $0.name == "shared" && $0.data.contains(#""lat":3"#) } }
            try await move(stage, boat, 10.123, 10.321)
            let hidden = try await reader.wait { $0.contains { $0.name == "changed" } }
            #expect(hidden.last { $0.name == "changed" }?.data.contains(#""private":true"#) == true)
            try await move(stage, boat, 4, 4)
            _ = try await reader.wait { $0.contains { $0.name == "changed" && $0.data.contains(#""lat":4"#) } }
            // A zone that is drawn while somebody looks takes the position away.
            _ = try await post(stage, "/v1/fences", #"{"name":"quay","within":"3.5,3.5,4.5,4.5","private":true}"#)
            let all = try await reader.wait { $0.count { $0.name == "shared" } == 2 }
            #expect(all.last { $0.name == "shared" }?.data.contains(#""private":true"#) == true)
            #expect(!all.contains { $0.data.contains("10.123") || $0.data.contains("10.321") })
            let shown = try await stage.ask("GET", "/v1/shared", headers: link.headers)
            #expect(shown.json["private"] as? Bool == true && !shown.text.contains("\"lat\""), "\(shown.text)")
            reader.cut()
        }
    }

    @Test("a link to an area tells who comes; of who leaves it tells the id alone")
    func area() async throws {
        try await withStage { stage, _ in
            let boat = try await add(stage, "Boat", 1, 1)
            let far = try await add(stage, "Far", 50, 50)
            let link = try await share(stage, #"{"within":"0,0,5,5","label":"Harbour"}"#)
            let shown = try await stage.ask("GET", "/v1/shared", headers: link.headers)
            #expect((shown.json["landmarks"] as? [[String: Any]])?.map { $0["name"] as? String } == ["Boat"])
            #expect(shown.json["kind"] as? String == "area" && shown.json["more"] as? Bool == false)
            #expect(try await stage.ask("GET", "/v1/shared/track", headers: link.headers).status == 404)
            let reader = try EventReader(port: stage.port, "/v1/shared/changes", headers: link.headers)
            _ = try await reader.wait { $0.contains { $0.name == "shared" } }
            try await move(stage, far, 2, 2)
            _ = try await reader.wait { $0.contains { $0.name == "changed" && $0.data.contains("Far") } }
            try await move(stage, boat, 60, 60)
            let left = try await reader.wait { $0.contains { $0.name == "left" } }
            #expect(left.last { $0.name == "left" }?.data == #"{"landmark":{"id":"\#(boat)"}}"#)
            reader.cut()
        }
    }

    @Test("a link ends at its time, and with its landmark")
    func ends() async throws {
        try await withStage { stage, _ in
            let boat = try await add(stage, "Boat", 1, 1)
            let open = try await share(stage, #"{"landmark":"\#(boat)"}"#)
            let reader = try EventReader(port: stage.port, "/v1/shared/changes", headers: open.headers)
            _ = try await reader.wait { $0.contains { $0.name == "shared" } }
            let timed = try await brief(stage, boat)
            _ = try await timed.reader.wait { $0.contains { $0.name == "ended" } }
            #expect(try await stage.ask("GET", "/v1/shared", headers: timed.headers).status == 401)
            #expect(try await stage.ask("GET", "/v1/shared", headers: open.headers).status == 200)
            _ = try await stage.ask("DELETE", "/v1/landmarks/\(boat)", headers: Self.headers)
            _ = try await reader.wait { $0.contains { $0.name == "ended" } }
            #expect(try await stage.ask("GET", "/v1/shared", headers: open.headers).status == 401)
        }
    }

    @Test("a strange secret opens nothing, and a strange body makes no link")
    func refusals() async throws {
        try await withStage { stage, client in
            let boat = try await add(stage, "Boat", 1, 1)
            let (token, phone) = (GrantToken(), GrantToken())
            _ = try await client.grants.add(phone, .move, .landmark(try #require(UUIDv7(boat))))
            for bearer in ["", "Bearer ", "Bearer \(token)", "Bearer \(phone)", "Basic \(token)", "Bearer \(token)x"] {
                let answer = try await stage.ask("GET", "/v1/shared", headers: ["authorization": bearer])
                #expect(answer.status == 401, "\(bearer): \(answer.text)")
            }
            #expect(try await stage.ask("GET", "/v1/shared").status == 401)
            for body in [
                "{}", #"{"landmark":"x"}"#, #"{"landmark":"\#(boat)","within":"0,0,1,1"}"#, #"{"within":"0,0,1"}"#,
                #"{"landmark":"\#(boat)","track":1}"#, #"{"landmark":"\#(boat)","expires":"soon"}"#,
                #"{"landmark":"\#(boat)","expires":"2001-01-01T00:00:00Z"}"#, #"{"users":["ann","bob"]}"#,
                #"{"landmark":"\#(boat)","token":"x"}"#,
            ] {
                let answer = try await post(stage, "/v1/shares", body)
                #expect(answer.status == 422, "\(body): \(answer.text)")
            }
        }
    }

    @Test("with accounts a link needs none, and belongs to who made it")
    func owners() async throws {
        try await withStage(accounts: true) { stage, machine in
            let ann = try await WebPerson.join(stage, machine, "ann", .user)
            let bob = try await WebPerson.join(stage, machine, "bob", .user)
            let eve = try await WebPerson.join(stage, machine, "eve", .reader)
            let body = #"{"name":"Boat","lat":1,"lng":1}"#
            let boat = try #require(try await ann.ask("POST", "/v1/landmarks", body: body).json["id"] as? String)
            for person in [bob, eve] {
                let refused = try await person.ask("POST", "/v1/shares", body: #"{"landmark":"\#(boat)"}"#)
                #expect(refused.status == 403, "\(person.name): \(refused.text)")
            }
            let made = try await ann.ask("POST", "/v1/shares", body: #"{"landmark":"\#(boat)"}"#)
            let path = try #require(made.json["path"] as? String, "\(made.text)")
            let link = ["authorization": "Bearer \(path.dropFirst(7))"]
            #expect(try await stage.ask("GET", "/v1/shared", headers: link).status == 200)
            // The link is nobody's key.
            #expect(try await stage.ask("GET", "/v1/landmarks/\(boat)", headers: link).status == 401)
            #expect((try await bob.ask("GET", "/v1/shares").json["shares"] as? [Any])?.count == 0)
            let fingerprint = try #require(made.json["fingerprint"] as? String)
            #expect(try await bob.ask("DELETE", "/v1/shares/\(fingerprint)").status == 404)
            #expect(try await ann.ask("DELETE", "/v1/shares/\(fingerprint)").status == 204)
            #expect(try await stage.ask("GET", "/v1/shared", headers: link).status == 401)
        }
    }
}
