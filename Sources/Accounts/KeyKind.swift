// SPDX-License-Identifier: Apache-2.0

package import WaymarkProtocol

/// The kinds of keys that an account can have.
public enum KeyKind: Int, Sendable, Hashable, CaseIterable {
    /// A public key of CURVE.
    case curve = 0
    /// The digest by ``WebToken`` of a browser session's cookie.
    case session = 1
    /// The digest by ``WebToken`` of a bearer token that an HTTP client sends.
    case bearer = 2

    /// Converts a kind; nil if this release does not know it.
    package init?(_ wire: WireKeyKind) { self.init(rawValue: wire.rawValue) }

    package var wire: WireKeyKind { WireKeyKind(rawValue: rawValue) ?? .curve }

    /// The word for people, in a list of keys.
    public var name: String {
        switch self {
        case .curve: "key"
        case .session: "browser"
        case .bearer: "HTTP"
        }
    }
}
