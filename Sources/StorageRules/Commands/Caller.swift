// SPDX-License-Identifier: Apache-2.0

import Accounts
import WaymarkProtocol

/// The sender of a request.
package enum Caller: Hashable, Sendable {
    /// A sender where accounts are not required, with a claimed user name, which may be empty. Everything is allowed.
    case anyone(user: String)
    case account(Account)
    /// A sender that holds storage's own keys, that is, anybody who can read storage's key file. Everything is allowed.
    case machine

    /// The user name that is recorded with the caller's changes.
    package var user: String {
        switch self {
        case .anyone(let user): user
        case .account(let account): account.name
        case .machine: ""
        }
    }

    /// The number of the caller's account; 0 if the caller has no account.
    package var number: UInt64 {
        if case .account(let account) = self { account.number } else { 0 }
    }

    /// Whether accounts are required, so that permissions are checked and the audit trail records the caller's writes.
    package var isProven: Bool {
        if case .anyone = self { false } else { true }
    }

    /// Checks that the caller's role has a permission, and throws ``ErrorCode/denied`` if it has not.
    package func require(_ permission: Permission) throws(ServiceError) {
        guard case .account(let account) = self, !AccessRule.allows(account.role, permission) else { return }
        throw ServiceError(.denied, "The account \(account.name) may not do this: its role is \(account.role.name).")
    }

    /// Checks that the caller has a permission on something that has an owner, and throws ``ErrorCode/denied`` if not.
    ///
    /// - Parameters:
    /// - owner: the number of the owner's account; 0 if no account is the owner.
    /// - name: the owner's name, for the text of the error.
    func require(_ permission: Permission, ofWhat owner: UInt64, _ name: String) throws(ServiceError) {
        guard case .account(let account) = self else { return }
        let ownership = Ownership(owner: owner, account: account.number)
        guard !AccessRule.allows(account.role, permission, on: ownership) else { return }
        try require(permission)
        throw ServiceError(
            .denied,
            ownership == .others
                ? "The owner is \(name): only the owner or a moderator may change or remove this."
                : "There is no owner: only a moderator may change or remove this.")
    }

    /// Whether the caller may read and change the hooks of other accounts.
    var usesOthersHooks: Bool {
        guard case .account(let account) = self else { return true }
        return AccessRule.allows(account.role, .hook, on: .others)
    }

    /// Whether the limits of an ordinary account do not count: without accounts, for storage's machine, and for
    /// administrators.
    var isUnlimited: Bool {
        guard case .account(let account) = self else { return true }
        return account.role == .admin
    }

    /// Returns the error that ``require(_:)`` would throw, for code that cannot throw; nil if the permission is given.
    package func refusal(_ permission: Permission) -> ServiceError? {
        do throws(ServiceError) { try require(permission) } catch { return error }
        return nil
    }
}
