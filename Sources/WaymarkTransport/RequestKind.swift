// SPDX-License-Identifier: Apache-2.0

/// What a request asks for: a closed set, fit for counting. The numbers are those of the fields of `Request`.
public enum RequestKind: UInt8, CaseIterable, Sendable {
    /// None of the others: of another release, or no `Request` at all.
    case unknown = 0
    case hello = 1
    case status = 2
    case health = 3
    case near = 10
    case list = 11
    case distance = 12
    case search = 20
    case show = 21
    case changes = 22
    case snapshot = 23
    case sources = 24
    case sourceKeys = 25
    case locate = 26
    case beginBackup = 27
    case readBackup = 28
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

    /// One more than the largest number.
    static let count = 40

    /// As the first field of an encoded `Request` says. A request has one field; of a body that has more, this says
    /// nothing: whatever is done by kind, beyond counting, looks at ``IncomingRequest/isOfOneField`` too, or reads the
    /// body with something that refuses a second field.
    init(body: [UInt8]) {
        self = .unknown
        guard let first = body.first else { return }
        var tag = UInt32(first & 0x7f)
        if first & 0x80 != 0 {
            guard body.count > 1, body[1] & 0x80 == 0 else { return }
            tag |= UInt32(body[1]) << 7
        }
        // The low three bits are the wire type; a message is LEN.
        if tag & 7 == 2 { self = RequestKind(rawValue: UInt8(clamping: tag >> 3)) ?? .unknown }
    }

    /// Whether it goes through storage's writer.
    public var isWrite: Bool {
        switch self {
        case .add, .edit, .remove, .addNote, .editNote, .removeNote, .ingest, .beginFetch, .endFetch: true
        default: false
        }
    }

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
        default: "\(self)"
        }
    }
}
