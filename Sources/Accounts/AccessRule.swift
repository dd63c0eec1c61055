// SPDX-License-Identifier: Apache-2.0

public import WaymarkProtocol

/// The only definition of what each role may do. `Accounts.md` shows it as a table, and a test compares the two.
public enum AccessRule {
    /// - Parameter ownership: who owns the landmark, note, fence or hook; used only for permissions to change and remove.
    public static func allows(_ role: Role, _ permission: Permission, on ownership: Ownership = .own) -> Bool {
        switch permission {
        case .read, .follow: true
        case .ownAccount: role != .service
        case .add, .addNote: [.user, .moderator, .admin].contains(role)
        case .edit, .move, .remove, .editNote, .removeNote, .fence, .share:
            [.moderator, .admin].contains(role) || role == .user && ownership == .own
        case .hook: role == .admin || [.user, .moderator].contains(role) && ownership == .own
        case .addPoints: role != .reader
        case .listAccounts: [.moderator, .admin].contains(role)
        case .ingest: [.moderator, .admin, .service].contains(role)
        case .manageAccounts, .upkeep: role == .admin
        case .followAccounts, .actForAnother, .runHooks, .useGrants: role == .service
        }
    }
}
