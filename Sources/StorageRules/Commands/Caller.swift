// SPDX-License-Identifier: Apache-2.0

import Accounts
import WaymarkProtocol

/// Who asks.
package enum Caller: Hashable, Sendable {
    /// Accounts are not required: a name that was claimed, and may be empty. Everything is allowed.
    case anyone(user: String)
    case account(Account)
    /// Storage's own machine: whoever may read its key file. Everything is allowed.
    case machine

    /// The name that its changes get.
    package var user: String {
        switch self {
        case .anyone(let user): user
        case .account(let account): account.name
        case .machine: ""
        }
    }

    /// 0: none.
    package var number: UInt64 {
        if case .account(let account) = self { account.number } else { 0 }
    }

    /// Whether there are accounts, so that rules apply and deeds are written down.
    package var isProven: Bool {
        if case .anyone = self { false } else { true }
    }

    /// - Throws: ``ErrorCode/denied``.
    package func require(_ permission: Permission) throws(ServiceError) {
        guard case .account(let account) = self, !AccessRule.allows(account.role, permission) else { return }
        throw ServiceError(.denied, "The account \(account.name) may not do this: its role is \(account.role.name).")
    }

    /// The same for something that belongs to somebody.
    ///
    /// - Parameters:
    ///   - owner: its account; 0: none.
    ///   - name: the owner's name, for the sentence.
    func require(_ permission: Permission, ofWhat owner: UInt64, _ name: String) throws(ServiceError) {
        guard case .account(let account) = self else { return }
        let ownership = Ownership(owner: owner, account: account.number)
        guard !AccessRule.allows(account.role, permission, on: ownership) else { return }
        try require(permission)
        throw ServiceError(
            .denied,
            ownership == .others
                ? "It is \(name)'s: only they or a moderator may change or remove it."
                : "It belongs to no account: only a moderator may change or remove it.")
    }

    /// As ``require(_:)``, for those who cannot throw it.
    package func refusal(_ permission: Permission) -> ServiceError? {
        do throws(ServiceError) { try require(permission) } catch { return error }
        return nil
    }
}
