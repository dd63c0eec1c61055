// SPDX-License-Identifier: Apache-2.0

/// Invitations. An account has at most one, until the invitation is used or replaced by a new one.
protocol InvitationTable {
    func store(_ invitation: AccountCommand.Invitation, for account: UInt64) throws
    func isValid(_ digest: [UInt8], for account: UInt64, now: UInt64) throws -> Bool
    func remove(of account: UInt64) throws
}
