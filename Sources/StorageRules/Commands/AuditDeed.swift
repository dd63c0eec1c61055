// SPDX-License-Identifier: Apache-2.0

/// What becomes an entry of the audit trail when a request is done or refused.
package struct AuditDeed: Hashable, Sendable {
    /// The kind of the request, as in the protocol.
    var deed: String
    /// From where, as far as the service that took the request saw.
    var origin: String

    package init(deed: String, origin: String) { (self.deed, self.origin) = (deed, origin) }
}
