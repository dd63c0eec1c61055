// SPDX-License-Identifier: Apache-2.0

/// The part of an audit entry that is known when the request arrives. The entry is written when the request is done or
/// refused.
package struct AuditDeed: Hashable, Sendable {
    /// The kind of the request, as in the protocol.
    var deed: String
    /// The address that the request came from, as far as the service that received it could see.
    var origin: String

    package init(deed: String, origin: String) { (self.deed, self.origin) = (deed, origin) }
}
