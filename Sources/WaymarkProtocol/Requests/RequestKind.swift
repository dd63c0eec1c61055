// SPDX-License-Identifier: Apache-2.0

/// The table of requests: the one list of them. A kind is a closed set, fit for counting. The numbers are those of the
/// fields of `Request`.
public enum RequestKind: UInt64, WireField {
    /// None of the others: of another release, or no `Request` at all.
    case unknown = 0
    case hello = 1
    case status = 2
    case health = 3
    case near = 10
    case list = 11
    case distance = 12
    case tile = 13
    case rates = 14
    case search = 20
    case show = 21
    case changes = 22
    case snapshot = 23
    case sources = 24
    case sourceKeys = 25
    case locate = 26
    case beginBackup = 27
    case readBackup = 28
    case track = 29
    case add = 30
    case edit = 31
    case remove = 32
    case addNote = 33
    case editNote = 34
    case removeNote = 35
    case ingest = 36
    case beginFetch = 37
    case endFetch = 38
    case compact = 39
    case move = 40
    case door = 41
    case signIn = 42
    case whoAmI = 43
    case listAccounts = 44
    case createAccount = 45
    case changeAccount = 46
    case setPassword = 47
    case listKeys = 48
    case addKey = 49
    case endKey = 50
    case readAudit = 51
    case followAccounts = 52
    case adopt = 53

    private var entry: RequestRow {
        switch self {
        case .unknown: RequestRow("unknown", by: .each, needs: .read)
        case .hello: RequestRow("hello", by: .each, needs: .read)
        case .status: RequestRow("status", by: .each, needs: .read, .vital)
        case .health: RequestRow("health", by: .each, needs: .read)
        case .near: RequestRow("near", by: .query, needs: .read, .quick)
        case .list: RequestRow("list", by: .query, needs: .read)
        case .distance: RequestRow("distance", by: .query, needs: .read)
        case .tile: RequestRow("tile", by: .query, needs: .read)
        case .rates: RequestRow("rates", by: .query, needs: .read)
        case .search: RequestRow("search", needs: .read)
        case .show: RequestRow("show", needs: .read)
        case .changes: RequestRow("changes", needs: .read, .vital)
        case .snapshot: RequestRow("snapshot", needs: .read, .vital)
        case .sources: RequestRow("sources", needs: .read)
        case .sourceKeys: RequestRow("source_keys", needs: .read)
        case .locate: RequestRow("locate", needs: .read)
        case .beginBackup: RequestRow("begin_backup", needs: .upkeep)
        case .readBackup: RequestRow("read_backup", needs: .upkeep)
        case .track: RequestRow("track", needs: .read)
        case .add: RequestRow("add", .changesLandmarks, needs: .add)
        case .edit: RequestRow("edit", .changesLandmarks, needs: .edit)
        case .remove: RequestRow("remove", .changesLandmarks, needs: .remove)
        case .addNote: RequestRow("add_note", .changesLandmarks, needs: .addNote)
        case .editNote: RequestRow("edit_note", .changesLandmarks, needs: .editNote)
        case .removeNote: RequestRow("remove_note", .changesLandmarks, needs: .removeNote)
        case .ingest: RequestRow("ingest", .changesLandmarks, needs: .ingest)
        case .beginFetch: RequestRow("begin_fetch", .changesTurns, needs: .ingest)
        case .endFetch: RequestRow("end_fetch", .changesTurns, needs: .ingest)
        case .compact: RequestRow("compact", needs: .upkeep)
        case .move: RequestRow("move", .changesLandmarks, needs: .move)
        case .door: RequestRow("door", by: .query, needs: .read)
        // Signing in is not for those who have an account's key already; whoever may do it is decided where it arrives.
        case .signIn: RequestRow("sign_in", .changesAccounts, needs: .actForAnother)
        case .whoAmI: RequestRow("who_am_i", .readsAccounts, needs: .ownAccount)
        case .listAccounts: RequestRow("list_accounts", .readsAccounts, needs: .manageAccounts)
        case .createAccount: RequestRow("create_account", .changesAccounts, needs: .manageAccounts)
        case .changeAccount: RequestRow("change_account", .changesAccounts, needs: .manageAccounts)
        case .setPassword: RequestRow("set_password", .changesAccounts, needs: .ownAccount)
        case .listKeys: RequestRow("list_keys", .readsAccounts, needs: .ownAccount)
        case .addKey: RequestRow("add_key", .changesAccounts, needs: .ownAccount)
        case .endKey: RequestRow("end_key", .changesAccounts, needs: .ownAccount)
        case .readAudit: RequestRow("read_audit", .readsAccounts, needs: .manageAccounts)
        case .followAccounts: RequestRow("follow_accounts", .readsAccounts, needs: .followAccounts)
        case .adopt: RequestRow("adopt", .changesAccounts, needs: .manageAccounts)
        }
    }

    private static let rows: [RequestRow?] = (0..<UInt64(count)).map { RequestKind(rawValue: $0)?.entry }
    private static let unknownRow = RequestKind.unknown.entry

    /// One more than the largest number.
    public static let count = 54

    public var row: RequestRow { Self.rows[Int(rawValue)] ?? Self.unknownRow }
}

extension RequestKind {
    /// The field of an encoded `Request`. A body of more fields than one is none: whatever is done by kind is then done
    /// with the whole request.
    public init(body: [UInt8]) {
        self = body.withUnsafeBytes { bytes in
            guard let opening = WireFields.opening(bytes), let kind = Self(rawValue: opening) else { return .unknown }
            var fields = WireFields(bytes)
            return fields.next() != nil && fields.next() == nil && fields.isWhole ? kind : .unknown
        }
    }

    public var name: String { row.name }

    /// Whether it goes through storage's writer. Whoever means fewer says which ones less.
    public var isWrite: Bool {
        switch row.effect {
        case .changesLandmarks, .changesTurns, .changesAccounts: true
        case .nothing, .readsAccounts: false
        }
    }

    public var changesAccounts: Bool { row.effect == .changesAccounts }
    public var changesLandmarks: Bool { row.effect == .changesLandmarks }
    /// Whether it reads or changes accounts and keys.
    public var isAboutAccounts: Bool { row.effect == .changesAccounts || row.effect == .readsAccounts }
}
