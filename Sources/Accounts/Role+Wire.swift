// SPDX-License-Identifier: Apache-2.0

package import WaymarkProtocol

extension Role {
    /// Converts a role; nil if this release does not know it.
    package init?(_ wire: WireRole) { self.init(rawValue: wire.rawValue) }

    package var wire: WireRole { WireRole(rawValue: rawValue) ?? .unspecified }
}
