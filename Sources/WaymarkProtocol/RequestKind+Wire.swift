// SPDX-License-Identifier: Apache-2.0

extension WireRequest {
    /// The kind of a request that the generated code has decoded.
    public var kind: RequestKind { command?.kind ?? .unknown }
}

extension WireRequest.OneOf_Command {
    public var kind: RequestKind {
        switch self {
        case .hello: .hello
        case .status: .status
        case .health: .health
        case .near: .near
        case .list: .list
        case .distance: .distance
        case .tile: .tile
        case .rates: .rates
        case .search: .search
        case .show: .show
        case .changes: .changes
        case .snapshot: .snapshot
        case .sources: .sources
        case .sourceKeys: .sourceKeys
        case .locate: .locate
        case .beginBackup: .beginBackup
        case .readBackup: .readBackup
        case .track: .track
        case .add: .add
        case .edit: .edit
        case .remove: .remove
        case .addNote: .addNote
        case .editNote: .editNote
        case .removeNote: .removeNote
        case .ingest: .ingest
        case .beginFetch: .beginFetch
        case .endFetch: .endFetch
        case .compact: .compact
        case .move: .move
        case .door: .door
        case .signIn: .signIn
        case .whoAmI: .whoAmI
        case .listAccounts: .listAccounts
        case .createAccount: .createAccount
        case .changeAccount: .changeAccount
        case .setPassword: .setPassword
        case .listKeys: .listKeys
        case .addKey: .addKey
        case .endKey: .endKey
        case .readAudit: .readAudit
        case .followAccounts: .followAccounts
        case .adopt: .adopt
        }
    }
}
