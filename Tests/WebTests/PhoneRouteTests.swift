// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestTurns
import TestWeb
import Testing
import WaymarkClient

@testable import Web

@Suite("Phones over HTTP", .inTurn)
struct PhoneRouteTests {
    private static let json = "application/json"

    private static func location(_ time: Int, _ longitude: Double) -> String {
        #"{"_type":"location","lat":-33.8,"lon":\#(longitude),"acc":12,"vel":36,"tst":\#(time),"tid":"an"}"#
    }

    @Test("each app's report moves the landmark, with the key in the way that the app knows")
    func apps() async throws {
        try await withStage { stage, _ in
            let phone = try await WebPhone.join(stage)
            var longitudes: [Double] = []
            func moved(_ answer: PlainHTTP.Answer, _ longitude: Double) async throws {
                longitudes.append(longitude)
                #expect(answer.status == 200, "\(answer.text)")
                #expect(answer.headers["cache-control"]?.contains("no-") == true)
                let track = try await phone.track()
                #expect(track.compactMap { $0["lng"] as? Double } == longitudes)
                let landmark = try await stage.ask("GET", "/v1/landmarks/\(phone.landmark)")
                #expect(landmark.json["lng"] as? Double == longitude)
            }
            let basic = phone.basic.merging(["content-type": Self.json]) { $1 }
            let bearer = ["authorization": "Bearer \(phone.key)", "content-type": Self.json]
            try await moved(
                stage.ask(
                    "POST", "/v1/track/owntracks", headers: basic, body: Self.location(1_764_243_001, 151.01)), 151.01)
            let query = "lat=-33.8&timestamp=1764243002&bearing=12&batt=80&any=thing"
            try await moved(stage.ask("GET", "/v1/track/\(phone.key)/osmand?\(query)&lon=151.02"), 151.02)
            try await moved(
                stage.ask(
                    "POST", "/v1/track/osmand",
                    headers: phone.basic.merging(["content-type": "application/x-www-form-urlencoded"]) { $1 },
                    body: "lat=-33.8&timestamp=1764243003&lon=151.03&id=7"), 151.03)
            let traccar = #"""
                {"location":{"timestamp":"2025-11-27T11:30:04Z","coords":{"latitude":-33.8,"longitude":151.04}}}
                """#
            try await moved(
                stage.ask(
                    "POST", "/v1/track/\(phone.key)/osmand", headers: ["content-type": Self.json], body: traccar),
                151.04)
            let overland = #"""
                {"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[151.05,-33.8]},\#
                "properties":{"timestamp":"2025-11-27T03:30:05-0800","speed":1,"horizontal_accuracy":5}}]}
                """#
            let answer = try await stage.ask("POST", "/v1/track/overland", headers: bearer, body: overland)
            #expect(answer.json as? [String: String] == ["result": "ok"])
            try await moved(answer, 151.05)
            // A late one is kept, and does not move the landmark back; the same again is known.
            for _ in 0..<2 {
                let late = try await stage.ask(
                    "POST", "/v1/track/owntracks", headers: basic, body: Self.location(1_764_243_000, 151))
                #expect(late.status == 200)
            }
            let times = try await phone.track().compactMap { $0["at"] as? String }
            #expect(times.count == 6 && times == times.sorted())
            let landmark = try await stage.ask("GET", "/v1/landmarks/\(phone.landmark)")
            #expect(landmark.json["lng"] as? Double == 151.05)
        }
    }

    @Test("OwnTracks is told the people near the phone, without itself, and only if its key may know")
    func friends() async throws {
        try await withStage { stage, client in
            let ann = try await WebPhone.join(stage), bob = try await WebPhone.join(stage, "bob", friends: false)
            let place = try Coordinate(latitude: -33.8, longitude: 151.3)
            _ = try await client.add(try LandmarkDraft(name: "a shop", coordinate: place, kind: "shop"))
            _ = try await client.list(.byName, limit: 1)
            func report(_ phone: WebPhone) async throws -> [[String: Any]] {
                let answer = try await stage.ask(
                    "POST", "/v1/track/owntracks", headers: phone.basic, body: Self.location(1_764_243_001, 151.2))
                return try #require(try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [[String: Any]])
            }
            #expect(try await report(bob).isEmpty)
            let told = try await report(ann)
            #expect(told.map { $0["_type"] as? String } == ["location", "card"])
            #expect(
                told.allSatisfy { $0["tid"] as? String == "bo" && $0["topic"] as? String == "waymark/\(bob.landmark)" })
            #expect(told.last?["name"] as? String == "bob")
            #expect(told.first?["lon"] as? Double == 151.2 && (told.first?["tst"] as? Int ?? 0) > 1_700_000_000)
        }
    }

    @Test("without a key, with a key that has ended, and in the clear nothing is taken")
    func keys() async throws {
        try await withStage { stage, _ in
            let phone = try await WebPhone.join(stage)
            let body = Self.location(1_764_243_001, 151.2)
            let other = GrantToken().description
            for path in ["/v1/track/owntracks", "/v1/track/\(other)/owntracks", "/v1/track/x/owntracks"] {
                for body in [body, #"{"_type":"status"}"#] {
                    let refused = try await stage.ask("POST", path, body: body)
                    #expect(refused.status == 401 && refused.json["code"] as? String == "key_ended")
                    #expect(refused.headers["www-authenticate"] == "Basic realm=\"Waymark\"")
                }
            }
            // A proxy that the configuration does not name may have had it in the clear.
            let exposed = phone.basic.merging(["x-forwarded-for": "10.0.0.1"]) { $1 }
            let clear = try await stage.ask("POST", "/v1/track/owntracks", headers: exposed, body: body)
            #expect(clear.status == 403 && clear.json["code"] as? String == "not_encrypted")
            let crypt = #"{"_type":"encrypted","data":"AAAA"}"#
            let encrypted = try await stage.ask("POST", "/v1/track/owntracks", headers: phone.basic, body: crypt)
            #expect(encrypted.status == 422 && encrypted.text.contains("encryption"))
            #expect(
                try await stage.ask("POST", "/v1/track/owntracks", headers: phone.basic, body: #"{"_type":"lwt"}"#).text
                    == "[]")
            let user = ["waymark-user": "ann"]
            let listed = try await stage.ask("GET", "/v1/phones", headers: user)
            let phones = try #require(listed.json["phones"] as? [[String: Any]])
            #expect(phones.map { $0["fingerprint"] as? String } == [phone.fingerprint])
            #expect(!listed.text.contains(phone.key))
            let path = "/v1/phones/\(phone.fingerprint)"
            #expect(try await stage.ask("DELETE", path, headers: user).status == 204)
            #expect(try await stage.ask("DELETE", path, headers: user).status == 404)
            // After a late answer the refusal of a copy leaves open what the first one did (504).
            var ended = 504
            try await until {
                ended = try await stage.ask("POST", "/v1/track/owntracks", headers: phone.basic, body: body).status
                return ended != 504
            }
            #expect(ended == 401)
            #expect(try await phone.track().isEmpty)
        }
    }

    @Test("the answer that makes a key has the settings of each app, and nobody may keep it")
    func settings() async throws {
        try await withStage { stage, _ in
            let made = try await WebPhone.join(stage).made
            let key = try #require(made.json["key"] as? String)
            #expect(made.headers["cache-control"] == "no-store")
            let apps = try #require(made.json["apps"] as? [String: [String: String]])
            let site = "http://127.0.0.1:\(stage.port)/v1/track"
            #expect(apps["owntracks"]?["url"] == "\(site)/owntracks" && apps["owntracks"]?["password"] == key)
            #expect(apps["overland"] == ["url": "\(site)/overland", "token": key])
            #expect(apps["traccar"]?["url"] == "\(site)/\(key)/osmand")
            #expect(apps["osmand"]?["url"]?.hasPrefix("\(site)/\(key)/osmand?lat={0}&lon={1}&timestamp={2}") == true)
            let link = try #require((made.json["link"] as? String)?.split(separator: "inline=").last)
            let inline = String(link).replacing("%2B", with: "+")
            let data = try #require(Data(base64Encoded: inline))
            let config = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            #expect(config["_type"] as? String == "configuration" && config["mode"] as? Int == 3)
            #expect(config["url"] as? String == "\(site)/owntracks" && config["password"] as? String == key)
            let code = try #require(made.json["qr"] as? [String: Any])
            #expect((code["size"] as? Int ?? 0) > 29 && (code["path"] as? String)?.hasPrefix("M4 4h7v1h-7z") == true)
            for wrong in ["{}", #"{"landmark":"x"}"#, #"{"name":"x"}"#, #"{"name":"x","lat":1,"lng":2,"friends":1}"#] {
                let headers = ["content-type": Self.json, "waymark-user": "ann"]
                #expect(try await stage.ask("POST", "/v1/phones", headers: headers, body: wrong).status == 422)
            }
        }
    }

    @Test("a Host that no address can have makes no key")
    func strangeHost() async throws {
        try await withStage { stage, _ in
            let user = ["content-type": Self.json, "waymark-user": "ann"]
            for host in ["127.0.0.1:\(stage.port)/x?", "127.0.0.1:\"x", "127.0.0.1:1@x"] {
                let refused = try await stage.ask(
                    "POST", "/v1/phones", headers: user.merging(["host": host]) { $1 },
                    body: #"{"name":"ann","lat":1,"lng":2}"#)
                #expect(refused.status == 400 && refused.json["code"] as? String == "bad_request", "\(refused.text)")
            }
            let listed = try await stage.ask("GET", "/v1/phones", headers: user)
            #expect((listed.json["phones"] as? [Any])?.isEmpty == true, "\(listed.text)")
        }
    }

    @Test("with accounts a phone's key is its owner's, and it still needs no account")
    func accounts() async throws {
        try await withStage(accounts: true) { stage, machine in
            let ann = try await WebPerson.join(stage, machine, "ann", .user)
            let bob = try await WebPerson.join(stage, machine, "bob", .user)
            let made = try await ann.ask("POST", "/v1/phones", body: #"{"name":"ann","lat":1,"lng":2}"#)
            #expect(made.status == 201, "\(made.text)")
            let key = try #require(made.json["key"] as? String)
            let fingerprint = try #require(made.json["fingerprint"] as? String)
            let landmark = try #require(made.json["landmark"] as? String)
            let path = "/v1/track/\(key)/osmand?lat=3&lon=4&timestamp=1764243001"
            #expect(try await stage.ask("GET", path).status == 200)
            // Another's landmark, key and track are not for bob.
            let body = #"{"landmark":"\#(landmark)"}"#
            #expect(try await bob.ask("POST", "/v1/phones", body: body).status == 403)
            #expect(try await bob.ask("DELETE", "/v1/phones/\(fingerprint)").status == 404)
            #expect(try await bob.ask("DELETE", "/v1/landmarks/\(landmark)/track").status == 403)
            #expect(try await ann.ask("DELETE", "/v1/phones/\(fingerprint)").status == 204)
            #expect(try await stage.ask("GET", path).status == 401)
        }
    }

    @Test("an account is made over HTTP only where storage lets anybody do so")
    func signUp() async throws {
        try await withStage(accounts: true) { stage, machine in
            let body = #"{"name":"new","password":"a long secret"}"#
            let headers = ["content-type": Self.json]
            let closed = try await stage.ask("POST", "/v1/account", headers: headers, body: body)
            #expect(closed.status == 403 && closed.code == "denied" && closed.setCookie == nil)
            #expect(closed.text.contains("Nobody can make an account here without an invitation"))
            #expect(try await !machine.accounts().contains { $0.name == "new" })
            let more = #"{"name":"new","password":"a long secret","code":"x"}"#
            #expect(try await stage.ask("POST", "/v1/account", headers: headers, body: more).status == 422)
        }
        try await withStage { stage, _ in
            let refused = try await stage.ask("POST", "/v1/account", body: "{}")
            #expect(refused.code == "no_accounts")
        }
    }

    @Test("where anybody may make an account, it can write at once, and a name is taken once")
    func signUpOpen() async throws {
        try await withStage(accounts: true, signUp: true) { stage, machine in
            let headers = ["content-type": Self.json]
            func join(_ password: String) async throws -> PlainHTTP.Answer {
                let body = #"{"name":"new","password":"\#(password)"}"#
                return try await stage.ask("POST", "/v1/account", headers: headers, body: body)
            }
            let made = try await join("a long secret")
            let account = try #require(made.json["account"] as? [String: Any], "\(made.text)")
            #expect(made.status == 201 && account["name"] as? String == "new" && account["role"] as? String == "user")
            let cookie = try #require(made.setCookie).split(separator: ";")[0]
            let person = WebPerson(stage: stage, name: "new", cookie: String(cookie))
            let added = try await PlainHTTP.whenRead { try await person.add("Bondi") }
            #expect(added.status == 201, "\(added.text)")
            let again = try await join("another secret")
            #expect(again.status == 422 && again.code == "invalid" && again.setCookie == nil)
            #expect(again.text.contains("choose another name"), "\(again.text)")
            #expect(try await machine.accounts().count { $0.name == "new" } == 1)
            let back = try await WebPerson.attempt(stage, "new", "a long secret")
            #expect(back.status == 201, "\(back.text)")
        }
    }

    @Test("no log has the key that an app can only send in the path")
    func paths() {
        let key = GrantToken().description
        #expect(WebRouter.withoutKeys("/v1/track/\(key)/osmand") == "/v1/track/…/osmand")
        #expect(WebRouter.withoutKeys("//v1/track/\(key)") == "//v1/track/…")
        #expect(WebRouter.withoutKeys("/v1/landmarks/x/") == "/v1/landmarks/x/")
    }
}
