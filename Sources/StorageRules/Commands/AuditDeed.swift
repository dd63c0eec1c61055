// SPDX-License-Identifier: Apache-2.0

/// The fields of an audit entry that are known when the request arrives, that is, before its outcome.
package struct AuditDeed: Hashable, Sendable {
    /// The kind of the request, named as in the protocol.
    var deed: String
    /// The network address that the request came from, as far as the service that received the request could see it.
    var origin: String

    package init(deed: String, origin: String) { (self.deed, self.origin) = (deed, origin) }
}
