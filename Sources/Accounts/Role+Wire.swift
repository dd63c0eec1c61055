// SPDX-License-Identifier: Apache-2.0

package import WaymarkProtocol

extension Role {
    /// Nil for a role that this release does not know.
    package init?(_ wire: WireRole) { self.init(rawValue: wire.rawValue) }

    package var wire: WireRole { WireRole(rawValue: rawValue) ?? .unspecified }
}
