// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
package import WaymarkClient

/// The settings of the apps with which a phone reports its position.
package struct PhoneSettings: Sendable {
    private let site: String
    private let key: String
    /// The two characters with which OwnTracks marks a person on its map.
    private let mark: String

    /// - Parameters:
    ///   - site: the beginning of the service's addresses, such as `https://waymark.example`.
    ///   - name: the name of the landmark that the phone moves.
    package init(site: String, key: GrantToken, name: String) {
        (self.site, self.key, mark) = (site, key.description, String(name.prefix(2)))
    }

    /// Returns the label of a key that nobody gave one: the landmark's name, as far as a label may have it.
    package static func label(_ name: String) -> String { String(name.prefix(64)) }

    /// The address for apps that send the key in a header.
    private func open(_ app: String) -> String { "\(site)/v1/track/\(app)" }

    /// The address for apps that can send no header; it has the key.
    private func secret(_ app: String) -> String { "\(site)/v1/track/\(key)/\(app)" }

    /// The texts that a person types in: a word for each app, and its settings. The placeholders are the app's.
    package var apps: [(app: String, settings: [(name: String, value: String)])] {
        [
            ("owntracks", [("mode", "HTTP"), ("url", open("owntracks")), ("user", "waymark"), ("password", key)]),
            ("overland", [("url", open("overland")), ("token", key)]),
            ("traccar", [("url", secret("osmand"))]),
            (
                "osmand",
                [("url", secret("osmand") + "?lat={0}&lon={1}&timestamp={2}&hdop={3}&altitude={4}&speed={5}")]
            ),
            (
                "gpslogger",
                [("url", secret("osmand") + "?lat=%LAT&lon=%LON&timestamp=%TIMESTAMP&accuracy=%ACC&speed=%SPD")]
            ),
        ]
    }

    /// The link that makes OwnTracks take its settings: <https://owntracks.org/booklet/features/remoteconfig/>.
    package var link: String {
        let text = JSONWriter.line {
            $0.field("_type", "configuration")
            // The mode 3 is HTTP.
            $0.field("mode", UInt64(3))
            $0.field("url", open("owntracks"))
            $0.field("auth", true)
            $0.field("username", "waymark")
            $0.field("password", key)
            $0.field("tid", mark)
        }
        // The query of an address reads a plus sign as a space.
        return "owntracks:///config?inline=" + Data(text.dropLast()).base64EncodedString().replacing("+", with: "%2B")
    }

    /// The code of ``link``; nil if the service's address is too long for one.
    package var code: QRCode? { QRCode(link) }
}

/// Writes `key apps link qr`. The code is null if the address is too long for one.
extension PhoneSettings: JSONObject {
    package func fields(to writer: inout JSONWriter) {
        writer.field("key", key)
        writer.object("apps") { writer in
            for (app, settings) in apps {
                writer.object(app) { writer in
                    for setting in settings { writer.field(setting.name, setting.value) }
                }
            }
        }
        writer.field("link", link)
        writer.object("qr", code)
    }
}

/// Writes `size path`: an SVG path in a square of that size.
extension QRCode: JSONObject {
    package func fields(to writer: inout JSONWriter) {
        writer.field("size", UInt64(size + 2 * Self.margin))
        writer.field("path", path)
    }
}
