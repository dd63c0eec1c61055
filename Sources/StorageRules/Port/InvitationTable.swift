// SPDX-License-Identifier: Apache-2.0

/// Invitations: one at most for each account, until it is used or another one takes its place.
protocol InvitationTable {
    func store(_ invitation: AccountCommand.Invitation, for account: UInt64) throws
    func isValid(_ digest: [UInt8], for account: UInt64, now: UInt64) throws -> Bool
    func remove(of account: UInt64) throws
}
