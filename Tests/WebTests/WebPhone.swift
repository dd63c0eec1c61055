// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestWeb

/// A phone with a key for one landmark.
struct WebPhone: Sendable {
    let stage: WebStage
    let key: String
    let landmark: String
    let fingerprint: String
    /// The answer that made the key.
    let made: PlainHTTP.Answer

    static func join(_ stage: WebStage, _ name: String = "ann", friends: Bool = true) async throws -> WebPhone {
        let made = try await stage.ask(
            "POST", "/v1/phones", headers: ["content-type": "application/json", "waymark-user": name],
            body: #"{"name":"\#(name)","lat":-33.8,"lng":151.2,"friends":\#(friends)}"#)
        guard made.status == 201, let key = made.json["key"] as? String,
            let landmark = made.json["landmark"] as? String, let fingerprint = made.json["fingerprint"] as? String
        else { throw WebPerson.NotSignedIn(description: made.text) }
        return WebPhone(stage: stage, key: key, landmark: landmark, fingerprint: fingerprint, made: made)
    }

    var basic: [String: String] {
        ["authorization": "Basic " + Data("waymark:\(key)".utf8).base64EncodedString()]
    }

    func track() async throws -> [[String: Any]] {
        try await stage.ask("GET", "/v1/landmarks/\(landmark)/track?limit=10000").json["track"] as? [[String: Any]]
            ?? []
    }
}
