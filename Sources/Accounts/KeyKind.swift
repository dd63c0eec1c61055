// SPDX-License-Identifier: Apache-2.0

package import WaymarkProtocol

/// The kinds of keys that an account can have.
public enum KeyKind: Int, Sendable, Hashable, CaseIterable {
    /// A public CURVE key.
    case curve = 0
    /// The ``WebToken`` digest of the cookie of a browser's session.
    case session = 1
    /// The ``WebToken`` digest of the bearer token that an HTTP client sends.
    case bearer = 2

    /// Converts a kind from the protocol; nil if this release does not know it.
    package init?(_ wire: WireKeyKind) { self.init(rawValue: wire.rawValue) }

    package var wire: WireKeyKind { WireKeyKind(rawValue: rawValue) ?? .curve }

    /// The name that people see in a list of keys.
    public var name: String {
        switch self {
        case .curve: "key"
        case .session: "browser"
        case .bearer: "HTTP"
        }
    }
}
