// SPDX-License-Identifier: Apache-2.0

import Accounts
import WaymarkProtocol

/// The sender of a request.
package enum Caller: Hashable, Sendable {
    /// A sender where accounts are not required: a claimed name, possibly empty. Everything is allowed.
    case anyone(user: String)
    case account(Account)
    /// Storage's own machine: anybody who can read its key file. Everything is allowed.
    case machine

    /// The name that the caller's changes bear.
    package var user: String {
        switch self {
        case .anyone(let user): user
        case .account(let account): account.name
        case .machine: ""
        }
    }

    /// The account's number; 0 for callers without an account.
    package var number: UInt64 {
        if case .account(let account) = self { account.number } else { 0 }
    }

    /// Whether accounts are required, so that permissions are checked and deeds go into the audit trail.
    package var isProven: Bool {
        if case .anyone = self { false } else { true }
    }

    /// - Throws: ``ErrorCode/denied``.
    package func require(_ permission: Permission) throws(ServiceError) {
        guard case .account(let account) = self, !AccessRule.allows(account.role, permission) else { return }
        throw ServiceError(.denied, "The account \(account.name) may not do this: its role is \(account.role.name).")
    }

    /// Requires a permission on something that has an owner.
    ///
    /// - Parameters:
    ///   - owner: the owner's account; 0 if no account owns it.
    ///   - name: the owner's name, for the error's text.
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

    /// The error that ``require(_:)`` would throw, for callers that cannot throw.
    package func refusal(_ permission: Permission) -> ServiceError? {
        do throws(ServiceError) { try require(permission) } catch { return error }
        return nil
    }
}
