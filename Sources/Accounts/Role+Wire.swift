// SPDX-License-Identifier: Apache-2.0

public import WaymarkProtocol

extension Role {
    /// Nil for a role that this release does not know.
    public init?(_ wire: WireRole) { self.init(rawValue: wire.rawValue) }

    public var wire: WireRole { WireRole(rawValue: rawValue) ?? .unspecified }
}
