// SPDX-License-Identifier: Apache-2.0

/// The kinds of requests, and the table with their properties. A closed set, so that requests can be counted by kind.
/// The raw values are the field numbers in `Request`.
public enum RequestKind: UInt64, WireField {
    /// Any other request: one that this version does not know, or bytes that are not a `Request`.
    case unknown = 0
    case hello = 1
    case status = 2
    case health = 3
    case near = 10
    case list = 11
    case distance = 12
    case tile = 13
    case rates = 14
    case countKinds = 15
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
    case serverKey = 41
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
    case restore = 54
    case fences = 55
    case addFence = 56
    case removeFence = 57
    case hooks = 58
    case addHook = 59
    case changeHook = 60
    case hookFailures = 61
    case hookTurn = 62
    case grants = 63
    case findGrant = 64
    case addGrant = 65
    case endGrant = 66
    case addPoints = 67
    case eraseTrack = 68

    private var entry: RequestRow {
        switch self {
        case .unknown: RequestRow("unknown", .failure, by: .each, needs: .read)
        case .hello: RequestRow("hello", .welcome, by: .each, needs: .read)
        case .status: RequestRow("status", .status, by: .each, needs: .read, .vital)
        case .health: RequestRow("health", .health, by: .each, needs: .read)
        case .near: RequestRow("near", .hits, by: .replica, needs: .read, .quick)
        case .list: RequestRow("list", .hits, by: .replica, needs: .read)
        case .distance: RequestRow("distance", .separation, by: .replica, needs: .read)
        case .tile: RequestRow("tile", .tile, by: .replica, needs: .read)
        case .rates: RequestRow("rates", .rates, by: .query, needs: .read)
        case .countKinds: RequestRow("count_kinds", .kindCounts, by: .replica, needs: .read)
        case .search: RequestRow("search", .hits, needs: .read)
        case .show: RequestRow("show", .shown, needs: .read)
        case .changes: RequestRow("changes", .changes, needs: .read, .vital)
        case .snapshot: RequestRow("snapshot", .snapshot, needs: .read, .vital)
        case .sources: RequestRow("sources", .sources, needs: .read)
        case .sourceKeys: RequestRow("source_keys", .sourceKeys, needs: .read)
        case .locate: RequestRow("locate", .located, needs: .read)
        case .beginBackup: RequestRow("begin_backup", .backupFile, needs: .upkeep)
        case .readBackup: RequestRow("read_backup", .backupPiece, needs: .upkeep)
        case .track: RequestRow("track", .track, needs: .read)
        case .add: RequestRow("add", .written, .changesLandmarks, needs: .add)
        case .edit: RequestRow("edit", .written, .changesLandmarks, needs: .edit)
        case .remove: RequestRow("remove", .written, .changesLandmarks, needs: .remove)
        case .addNote: RequestRow("add_note", .written, .changesLandmarks, needs: .addNote)
        case .editNote: RequestRow("edit_note", .written, .changesLandmarks, needs: .editNote)
        case .removeNote: RequestRow("remove_note", .written, .changesLandmarks, needs: .removeNote)
        case .ingest: RequestRow("ingest", .ingest, .changesLandmarks, needs: .ingest)
        case .beginFetch: RequestRow("begin_fetch", .fetchLease, .changesBookkeeping, needs: .ingest)
        case .endFetch: RequestRow("end_fetch", .done, .changesBookkeeping, needs: .ingest)
        case .compact: RequestRow("compact", .compacted, needs: .upkeep)
        case .move: RequestRow("move", .written, .changesLandmarks, needs: .move)
        case .serverKey: RequestRow("server_key", .serverKey, by: .query, needs: .read)
        // Clients that already have an account's key must not sign in. Others may, depending on the socket.
        case .signIn: RequestRow("sign_in", .account, .changesAccounts, needs: .actForAnother)
        case .whoAmI: RequestRow("who_am_i", .account, .readsAccounts, needs: .ownAccount)
        case .listAccounts: RequestRow("list_accounts", .accounts, .readsAccounts, needs: .listAccounts)
        case .createAccount: RequestRow("create_account", .account, .changesAccounts, needs: .manageAccounts)
        case .changeAccount: RequestRow("change_account", .account, .changesAccounts, needs: .manageAccounts)
        case .setPassword: RequestRow("set_password", .done, .changesAccounts, needs: .ownAccount)
        case .listKeys: RequestRow("list_keys", .keys, .readsAccounts, needs: .ownAccount)
        case .addKey: RequestRow("add_key", .keys, .changesAccounts, needs: .ownAccount)
        case .endKey: RequestRow("end_key", .done, .changesAccounts, needs: .ownAccount)
        case .readAudit: RequestRow("read_audit", .audit, .readsAccounts, needs: .manageAccounts)
        case .followAccounts: RequestRow("follow_accounts", .accountPage, .readsAccounts, needs: .followAccounts)
        case .adopt: RequestRow("adopt", .done, .changesAccounts, needs: .manageAccounts)
        case .restore: RequestRow("restore", .written, .changesLandmarks, needs: .remove)
        case .fences: RequestRow("fences", .fences, needs: .read)
        case .addFence: RequestRow("add_fence", .fences, .changesBookkeeping, needs: .fence)
        case .removeFence: RequestRow("remove_fence", .done, .changesBookkeeping, needs: .fence)
        case .hooks: RequestRow("hooks", .hooks, needs: .hook)
        case .addHook: RequestRow("add_hook", .hooks, .changesBookkeeping, needs: .hook)
        case .changeHook: RequestRow("change_hook", .hooks, .changesBookkeeping, needs: .hook)
        case .hookFailures: RequestRow("hook_failures", .hookFailures, needs: .hook)
        case .hookTurn: RequestRow("hook_turn", .hookTurns, .changesBookkeeping, needs: .runHooks)
        case .grants: RequestRow("grants", .grants, needs: .share)
        case .findGrant: RequestRow("find_grant", .grants, needs: .useGrants)
        case .addGrant: RequestRow("add_grant", .grants, .changesBookkeeping, needs: .share)
        case .endGrant: RequestRow("end_grant", .done, .changesBookkeeping, needs: .share)
        case .addPoints: RequestRow("add_points", .pointsAdded, .changesLandmarks, needs: .addPoints)
        case .eraseTrack: RequestRow("erase_track", .trackErased, .changesBookkeeping, needs: .move)
        }
    }

    private static let rows: [RequestRow?] = (0..<UInt64(count)).map { RequestKind(rawValue: $0)?.entry }
    private static let unknownRow = RequestKind.unknown.entry

    /// The size of a table indexed by raw value, which is one more than the largest raw value.
    public static let count = 69

    public var row: RequestRow { Self.rows[Int(rawValue)] ?? Self.unknownRow }

    /// Finds the kind of an encoded `Request`. If it contains several commands, the last one counts, as in the
    /// generated code. Other fields are ignored. A malformed body is ``unknown``.
    public init(body: [UInt8]) {
        self = body.withUnsafeBytes { bytes in
            var (fields, kind) = (WireFields(bytes), Self.unknown)
            while let (field, value) = fields.next() {
                if case .bytes = value, let known = Self(rawValue: field) { kind = known }
            }
            return fields.isWhole ? kind : .unknown
        }
    }

    public var name: String { row.name }

    /// Whether the request goes through storage's writer. Callers that mean only some of them test `effect`.
    public var isWrite: Bool { row.effect != .nothing && row.effect != .readsAccounts }

    /// Whether the query service answers the request also without a socket, if the client is in its process: every read
    /// of landmarks and of the state of services, except for the greeting of a connection.
    public var mayBeLocal: Bool { row.effect == .nothing && row.permission == .read && self != .hello }

    public var changesAccounts: Bool { row.effect == .changesAccounts }
    public var changesLandmarks: Bool { row.effect == .changesLandmarks }
    /// Whether the request reads or changes accounts and keys.
    public var isAboutAccounts: Bool { row.effect == .changesAccounts || row.effect == .readsAccounts }
}

/// Fields of `Reply`, each of which is a possible result.
public enum ReplyField: UInt64, WireField {
    case failure = 1
    case welcome = 2
    case status = 3
    case health = 4
    case hits = 10
    case separation = 12
    case tile = 13
    case rates = 14
    case kindCounts = 15
    case shown = 21
    case changes = 22
    case snapshot = 23
    case sources = 24
    case sourceKeys = 25
    case located = 26
    case backupFile = 27
    case backupPiece = 28
    case track = 29
    case written = 30
    case ingest = 36
    case fetchLease = 37
    case done = 38
    case compacted = 39
    case serverKey = 41
    case account = 42
    case accounts = 44
    case keys = 48
    case audit = 51
    case accountPage = 52
    case fences = 55
    case hooks = 58
    case hookFailures = 61
    case hookTurns = 62
    case grants = 63
    case pointsAdded = 67
    case trackErased = 68
}
