// SPDX-License-Identifier: Apache-2.0

package import WaymarkProtocol

/// The role of an account. ``AccessRule`` says which permissions a role has.
public enum Role: Int, Sendable, Hashable, CaseIterable {
    /// May read landmarks and follow changes.
    case reader = 1
    /// May also add landmarks and notes, and change its own landmarks and notes.
    case user = 2
    /// May also change landmarks and notes of other accounts and of sources.
    case moderator = 3
    /// May also manage accounts, backups and the change log.
    case admin = 4
    /// A program of the installation, such as a query service, which fetches sources and acts for accounts.
    case service = 5

    /// The name that people see and use in settings.
    public var name: String { "\(self)" }

    public init?(name: String) {
        guard let role = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = role
    }

    /// Converts a role from the protocol; nil if this release does not know it.
    package init?(_ wire: WireRole) { self.init(rawValue: wire.rawValue) }

    package var wire: WireRole { WireRole(rawValue: rawValue) ?? .unspecified }
}
