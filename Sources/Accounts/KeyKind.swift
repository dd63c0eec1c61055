// SPDX-License-Identifier: Apache-2.0

package import WaymarkProtocol

/// What a key of an account is.
public enum KeyKind: Int, Sendable, Hashable, CaseIterable {
    /// A public key of CURVE.
    case curve = 0
    /// ``WebToken``'s digest of the cookie of a browser that has signed in.
    case session = 1
    /// ``WebToken``'s digest of what an HTTP client sends as a bearer.
    case bearer = 2

    /// Nil for a kind that this release does not know.
    package init?(_ wire: WireKeyKind) { self.init(rawValue: wire.rawValue) }

    package var wire: WireKeyKind { WireKeyKind(rawValue: rawValue) ?? .curve }

    /// As people read it in a list of keys.
    public var name: String {
        switch self {
        case .curve: "key"
        case .session: "browser"
        case .bearer: "HTTP"
        }
    }
}
