// SPDX-License-Identifier: Apache-2.0

import Accounts
import ZeroMQ

/// A write to accounts and keys. Passwords and codes have become hashes: nothing of this is a secret.
package enum AccountCommand: Hashable, Sendable {
    /// What storage keeps of an invitation.
    package struct Invitation: Hashable, Sendable {
        var digest: [UInt8]
        /// Unix milliseconds.
        var expires: UInt64

        package init(digest: [UInt8], expires: UInt64) { (self.digest, self.expires) = (digest, expires) }
    }

    package struct NewKey: Hashable, Sendable {
        package var key: CurveKey
        package var kind: KeyKind
        var label: String
        /// Unix milliseconds; 0: never.
        package var expires: UInt64

        package init(key: CurveKey, kind: KeyKind = .curve, label: String, expires: UInt64 = 0) {
            (self.key, self.kind, self.label, self.expires) = (key, kind, label, expires)
        }
    }

    /// How somebody has shown whose account it is. Others change passwords meanwhile, so the commit looks again.
    package enum Proof: Hashable, Sendable {
        /// The password belongs to this hash, which was the account's.
        case password(hash: String)
        /// An invitation; this hash becomes the password's.
        case code([UInt8], hash: String)
    }

    case create(name: String, Role, Invitation?)
    case change(account: String, role: Role?, name: String?, Invitation?, ends: Bool)
    /// - verified: the hash that the old password belongs to.
    case setPassword(account: UInt64, hash: String, verified: String)
    /// - account: empty: the caller's own.
    case addKey(NewKey, account: String)
    case endKey(CurveKey)
    case signIn(account: UInt64, NewKey, Proof)
    case adopt(name: String, account: String)
    /// Rewrites some landmarks whose owner has another name by now, or another owner.
    case rewriteOwners(limit: Int)
    /// Nothing but an entry in the audit trail.
    case note(subject: String, outcome: String)

    /// Whether its answer is kept for copies of the request. Of a request with a password no digest must be kept: a copy of
    /// it is recognised by the password, which is the account's by then.
    package var isRemembered: Bool {
        switch self {
        case .create, .change, .addKey, .endKey, .adopt: true
        case .setPassword, .signIn, .rewriteOwners, .note: false
        }
    }
}
