// SPDX-License-Identifier: Apache-2.0

package import WaymarkProtocol

/// What the owner of an account may do. ``AccessRule`` says what that is for each request.
public enum Role: Int, Sendable, Hashable, CaseIterable {
    /// Reads and follows.
    case reader = 1
    /// Also adds landmarks and notes, and changes its own.
    case user = 2
    /// Also changes everybody's, and those of sources.
    case moderator = 3
    /// Also looks after accounts, backups and the log.
    case admin = 4
    /// A program of the installation, such as a query service: it fetches sources, and acts for the accounts that it has
    /// let in.
    case service = 5

    /// The word for people and in settings.
    public var name: String { "\(self)" }

    public init?(name: String) {
        guard let role = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = role
    }

    /// Nil for a role that this release does not know.
    package init?(_ wire: WireRole) { self.init(rawValue: wire.rawValue) }

    package var wire: WireRole { WireRole(rawValue: rawValue) ?? .unspecified }
}
