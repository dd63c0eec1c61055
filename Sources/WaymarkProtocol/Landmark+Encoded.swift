// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
import Geodesy
public import Landmarks

// `EncodedTests` compares these bytes with those of the generated code.

extension Landmark {
    /// An encoded `Landmark`.
    public var encoded: [UInt8] {
        var wire = WireWriter(
            expecting: 112 + name.utf8.count + attributes.textBytes + user.utf8.count + later.count)
        wire.id(LandmarkField.id, id)
        wire.text(LandmarkField.name, name)
        wire.double(LandmarkField.lat, coordinate.latitude)
        wire.double(LandmarkField.lng, coordinate.longitude)
        wire.attributes(attributes, before: .user)
        wire.text(LandmarkField.user, user)
        if let source { wire.message(LandmarkField.source, source.encoded) }
        wire.attributes(attributes, after: .user, before: .notes)
        for note in notes { wire.message(LandmarkField.notes, note.encoded) }
        wire.number(LandmarkField.version, version)
        wire.number(LandmarkField.rev, rev)
        wire.number(LandmarkField.created, created)
        wire.number(LandmarkField.updated, updated)
        wire.attributes(attributes, after: .updated, before: .account)
        wire.number(LandmarkField.account, account)
        wire.attributes(attributes, after: .account)
        wire.bytes += later
        return wire.bytes
    }
}

extension SourceKey {
    fileprivate var encoded: [UInt8] {
        var wire = WireWriter(expecting: 16 + name.utf8.count + key.utf8.count)
        wire.text(SourceKeyField.name, name)
        wire.text(SourceKeyField.key, key)
        wire.bytes += later
        return wire.bytes
    }
}

extension Note {
    fileprivate var encoded: [UInt8] {
        var wire = WireWriter(expecting: 48 + text.utf8.count + user.utf8.count)
        wire.id(NoteField.id, id)
        wire.text(NoteField.text, text)
        wire.text(NoteField.user, user)
        wire.number(NoteField.at, at)
        wire.number(NoteField.account, account)
        wire.bytes += later
        return wire.bytes
    }
}

extension LandmarkDraft {
    /// An encoded `LandmarkDraft`.
    public var encoded: [UInt8] {
        var wire = WireWriter(expecting: 48 + name.utf8.count + attributes.textBytes)
        wire.text(DraftField.name, name)
        wire.double(DraftField.lat, coordinate.latitude)
        wire.double(DraftField.lng, coordinate.longitude)
        let values = attributes.encoded
        if !values.isEmpty { wire.message(DraftField.attributes, values) }
        return wire.bytes
    }
}

// MARK: Decoding

extension Landmark {
    /// Decodes an encoded `Landmark`. Does not check the lengths of texts, because storage has checked them.
    ///
    /// - Throws: the reason why the bytes are not a landmark.
    public init(encoded bytes: some ContiguousBytes) throws(InvalidInput) {
        let read = bytes.withUnsafeBytes { bytes in
            Result { () throws(InvalidInput) -> Landmark in try Landmark.reading(bytes) }
        }
        self = try read.get()
    }

    /// Checks that ``init(encoded:)`` can decode these bytes, in most cases without decoding them.
    ///
    /// - Throws: the error of ``init(encoded:)``.
    public static func check(encoded bytes: UnsafeRawBufferPointer) throws(InvalidInput) {
        if !isReadable(bytes) { _ = try reading(bytes) }
    }

    /// Returns whether the bytes can be decoded. False for some unusual ones that can be decoded too.
    private static func isReadable(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var (hasID, lat, lng) = (false, 0.0, 0.0)
        var fields = WireFields(bytes)
        while let (field, value) = fields.next() {
            switch (LandmarkField(rawValue: field), value) {
            case (.id, .bytes(let bytes)): hasID = bytes.count == 16
            case (.lat, .fixed64(let bits)): lat = Double(bitPattern: bits)
            case (.lng, .fixed64(let bits)): lng = Double(bitPattern: bits)
            case (.name, .bytes(let text)), (.user, .bytes(let text)): guard WireText.isText(text) else { return false }
            case (.source, .bytes(let bytes)): guard SourceKeyView(bytes)?.isPlain == true else { return false }
            case (.notes, .bytes(let bytes)): guard NoteView(bytes)?.isPlain == true else { return false }
            default:
                guard let (_, isText) = Attribute.entry(field) else { break }
                switch value {
                case .bytes(let text): guard isText, WireText.isText(text) else { return false }
                case .fixed64: guard !isText else { return false }
                case .number, .fixed32: return false
                }
            }
        }
        return fields.isWhole && hasID && (try? Coordinate(wireLatitude: lat, longitude: lng)) != nil
    }

    /// Decodes an encoded `Landmark` as ``init(encoded:)`` does. A function, because an initialiser copies the landmark
    /// at its end; and not generic, because another module's generic function looks up its types for each row.
    package static func reading(_ bytes: UnsafeRawBufferPointer) throws(InvalidInput) -> Landmark {
        var (id, name, user, lat, lng): (ID?, String, String, Double, Double) = (nil, "", "", 0, 0)
        var (attributes, source, notes, later) = (Attributes(), SourceKey?.none, [Note](), [UInt8]())
        var (account, version, rev, created, updated): (UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0)
        var (fields, here) = (WireFields(bytes), bytes)
        while let (field, value) = fields.next() {
            switch (LandmarkField(rawValue: field), value) {
            case (.id, .bytes(let bytes)): id = UUIDv7(bytes: bytes)
            case (.name, .bytes(let text)): name = try WireText.checked(text)
            case (.lat, .fixed64(let bits)): lat = Double(bitPattern: bits)
            case (.lng, .fixed64(let bits)): lng = Double(bitPattern: bits)
            case (.user, .bytes(let text)): user = try WireText.checked(text)
            case (.source, .bytes(let bytes)): source = try SourceKey(reading: bytes)
            case (.notes, .bytes(let bytes)): notes.append(try Note(reading: bytes))
            case (.version, .number(let number)): version = number
            case (.rev, .number(let number)): rev = number
            case (.created, .number(let number)): created = number
            case (.updated, .number(let number)): updated = number
            case (.account, .number(let number)): account = number
            default:
                if let attribute = Attribute(number: field) {
                    guard attributes.read(attribute, value) else { throw .missing("a readable \(attribute.word)") }
                } else {
                    later += here.dropLast(fields.rest.count)
                }
            }
            here = fields.rest
        }
        guard fields.isWhole else { throw .missing("a readable landmark") }
        guard let id else { throw .missing("the 16 bytes of the landmark's id") }
        return Landmark(
            id: id, name: name, coordinate: try Coordinate(wireLatitude: lat, longitude: lng), attributes: attributes,
            user: user, account: account, source: source, notes: notes, version: version, rev: rev, created: created,
            updated: updated, later: later)
    }
}

extension SourceKey {
    fileprivate init(reading bytes: UnsafeRawBufferPointer) throws(InvalidInput) {
        self.init(name: "", key: "")
        var (fields, here) = (WireFields(bytes), bytes)
        while let (field, value) = fields.next() {
            switch (SourceKeyField(rawValue: field), value) {
            case (.name, .bytes(let text)): name = try WireText.checked(text)
            case (.key, .bytes(let text)): key = try WireText.checked(text)
            default: later += here.dropLast(fields.rest.count)
            }
            here = fields.rest
        }
        guard fields.isWhole else { throw .missing("a readable source") }
    }
}

extension Note {
    /// A field that is there twice counts with its last value, and only that is checked.
    fileprivate init(reading bytes: UnsafeRawBufferPointer) throws(InvalidInput) {
        guard let view = NoteView(bytes) else { throw .missing("a readable note") }
        guard let id = view.id else { throw .missing("the 16 bytes of the note's id") }
        self.init(
            id: id, text: try WireText.checked(view.text), user: try WireText.checked(view.user), account: view.account,
            at: view.at, later: view.later)
    }
}
