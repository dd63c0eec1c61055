// SPDX-License-Identifier: Apache-2.0

import Accounts
import ZeroMQ

/// A write to accounts and keys. It holds no secrets, because passwords and codes were hashed before.
package enum AccountCommand: Hashable, Sendable {
    /// An invitation as storage keeps it: with a digest of the code instead of the code.
    package struct Invitation: Hashable, Sendable {
        var digest: [UInt8]
        /// The end of the invitation in Unix milliseconds.
        var expires: UInt64

        package init(digest: [UInt8], expires: UInt64) { (self.digest, self.expires) = (digest, expires) }
    }

    package struct NewKey: Hashable, Sendable {
        package var key: CurveKey
        package var kind: KeyKind
        var label: String
        /// Whether it may only read and follow.
        var readsOnly: Bool
        /// The end of the key in Unix milliseconds; 0 if the key never expires.
        package var expires: UInt64

        package init(key: CurveKey, kind: KeyKind = .curve, label: String, expires: UInt64 = 0, readsOnly: Bool = false)
        {
            (self.key, self.kind, self.label, self.expires) = (key, kind, label, expires)
            self.readsOnly = readsOnly
        }
    }

    /// The proof that a caller owns an account. The commit checks the proof again, because another request may change
    /// the password between the first check and the commit.
    package enum Proof: Hashable, Sendable {
        /// The hash that the given password matched. It must still be the account's hash when the request is committed.
        case password(hash: String)
        /// The digest of an invitation's code, and the hash of the password that the caller chose.
        case code([UInt8], hash: String)
    }

    case create(name: String, Role, Invitation?)
    case change(account: String, role: Role?, name: String?, Invitation?, ends: Bool)
    /// - verified: the hash that the given old password matched.
    case setPassword(account: UInt64, hash: String, verified: String)
    /// - account: the account's name; empty means the caller's own.
    case addKey(NewKey, account: String)
    case endKey(CurveKey)
    case signIn(account: UInt64, NewKey, Proof)
    /// Makes an account with a password and a key.
    case signUp(name: String, NewKey, hash: String)
    case adopt(name: String, account: String)
    /// Rewrites up to `limit` landmarks that have got another owner, or whose owner has got another name.
    case rewriteOwners(limit: Int)
    /// Only writes an entry into the audit trail.
    case note(subject: String, outcome: String)

    /// Whether the answer is remembered for repeats of the request. Remembering an answer needs a digest of the
    /// request, and the digest of a request with a password must not be kept. Storage recognises a repeat of such a
    /// request by its password, which is then already the account's password.
    package var isRemembered: Bool {
        switch self {
        case .create, .change, .addKey, .endKey, .adopt: true
        case .setPassword, .signIn, .signUp, .rewriteOwners, .note: false
        }
    }
}
