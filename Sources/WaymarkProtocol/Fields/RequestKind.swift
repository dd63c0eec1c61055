// SPDX-License-Identifier: Apache-2.0

/// What a request asks for: a closed set, fit for counting. The numbers are those of the fields of `Request`.
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

    /// One more than the largest number.
    public static let count = 54

    /// As the first field of an encoded `Request` says. A request has one field; of a body that has more, this says
    /// nothing: whatever is done by kind, beyond counting, makes sure that there is one field.
    public init(body: [UInt8]) {
        self = body.withUnsafeBytes { WireFields.opening($0) }.flatMap(Self.init(rawValue:)) ?? .unknown
    }

    /// Whether it goes through storage's writer. The one list of writes; whoever means fewer says which ones less.
    public var isWrite: Bool {
        switch self {
        case .add, .edit, .move, .remove, .addNote, .editNote, .removeNote, .ingest, .beginFetch, .endFetch: true
        default: changesAccounts
        }
    }

    /// Whether it is a write that may change accounts or keys. Repeated it does no more than once.
    public var changesAccounts: Bool {
        switch self {
        case .signIn, .createAccount, .changeAccount, .setPassword, .addKey, .endKey, .adopt: true
        default: false
        }
    }

    /// Whether it is a write that may change landmarks: taking turns at a source does not.
    public var changesLandmarks: Bool { isWrite && !changesAccounts && self != .beginFetch && self != .endFetch }

    /// The word for programs: as the field is called in the protocol.
    public var name: String {
        switch self {
        case .sourceKeys: "source_keys"
        case .beginBackup: "begin_backup"
        case .readBackup: "read_backup"
        case .addNote: "add_note"
        case .editNote: "edit_note"
        case .removeNote: "remove_note"
        case .beginFetch: "begin_fetch"
        case .endFetch: "end_fetch"
        case .signIn: "sign_in"
        case .whoAmI: "who_am_i"
        case .listAccounts: "list_accounts"
        case .createAccount: "create_account"
        case .changeAccount: "change_account"
        case .setPassword: "set_password"
        case .listKeys: "list_keys"
        case .addKey: "add_key"
        case .endKey: "end_key"
        case .readAudit: "read_audit"
        case .followAccounts: "follow_accounts"
        default: "\(self)"
        }
    }
}
