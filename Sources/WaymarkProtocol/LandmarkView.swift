// SPDX-License-Identifier: Apache-2.0

public import Geodesy
public import Landmarks

/// An encoded `Landmark`, looked at where it lies.
///
/// One walk notes where the fields are; nothing is copied, and no text is checked, before it is asked for. Good as long
/// as the bytes are. What was read in this way is what protobuf reads, but for a message that stands there twice: the
/// generated code merges the two, here the last one counts.
public struct LandmarkView {
    /// Nil where there are no 16 bytes of one.
    public private(set) var id: Landmark.ID?
    public private(set) var name = UnsafeRawBufferPointer(start: nil, count: 0)
    /// Degrees, unchecked.
    public private(set) var lat = 0.0
    public private(set) var lng = 0.0
    public private(set) var kind = UnsafeRawBufferPointer(start: nil, count: 0)
    public private(set) var link = UnsafeRawBufferPointer(start: nil, count: 0)
    public private(set) var user = UnsafeRawBufferPointer(start: nil, count: 0)
    public private(set) var rev: UInt64 = 0
    /// An encoded `SourceKey`.
    private var source: UnsafeRawBufferPointer?
    /// From the first note on; what stands between the notes is passed over.
    private var notes = UnsafeRawBufferPointer(start: nil, count: 0)
    /// From the first text of another attribute than the kind and the link on.
    private var texts = UnsafeRawBufferPointer(start: nil, count: 0)
    /// Every field is known and of its type, in the order of the numbers, each once but for the notes.
    private var isInOrder = true

    /// Nil for bytes that are no encoded message.
    public init?(_ bytes: UnsafeRawBufferPointer) {
        var (last, here): (UInt64, UnsafeRawBufferPointer) = (0, bytes)
        var fields = WireFields(bytes)
        while let (field, value) = fields.next() {
            if field <= last, field != LandmarkField.notes.rawValue || last != field { isInOrder = false }
            last = field
            switch value {
            case .bytes(let bytes):
                switch LandmarkField(rawValue: field) {
                case .id: id = UUIDv7(bytes: bytes)
                case .name: name = bytes
                case .kind: kind = bytes
                case .link: link = bytes
                case .user: user = bytes
                case .source: source = bytes
                case .notes: if notes.isEmpty { notes = here }
                default:
                    if LandmarkField.attributeType(field) != .text { isInOrder = false }
                    if texts.isEmpty { texts = here }
                }
            case .fixed64(let bits):
                switch LandmarkField(rawValue: field) {
                case .lat: lat = Double(bitPattern: bits)
                case .lng: lng = Double(bitPattern: bits)
                default: if LandmarkField.attributeType(field) != .number { isInOrder = false }
                }
            case .number(let number):
                switch LandmarkField(rawValue: field) {
                case .rev: rev = number
                case .version, .created, .updated: break
                default: isInOrder = false
                }
            case .fixed32: isInOrder = false
            }
            here = fields.rest
        }
        guard fields.isWhole else { return nil }
    }

    /// - Throws: when there is none.
    public func knownID() throws(InvalidInput) -> Landmark.ID {
        guard let id else { throw .missing("the 16 bytes of the landmark's id") }
        return id
    }

    /// - Throws: `InvalidInput.coordinate` for what is no place on earth.
    public func coordinate() throws(InvalidInput) -> Coordinate {
        try Coordinate(wireLatitude: lat, longitude: lng)
    }

    /// The source's name; empty where there is no source, nil where it cannot be read.
    public var sourceName: UnsafeRawBufferPointer? {
        guard let source else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return SourceKeyView(source)?.name
    }

    public var hasSource: Bool { source != nil }

    /// Calls `body` with each note, in the order in which they stand; nil is one that cannot be read.
    public func forEachNote<Failure: Error>(_ body: (NoteView?) throws(Failure) -> Void) throws(Failure) {
        var fields = WireFields(notes)
        while let (field, value) = fields.next() {
            if field == LandmarkField.notes.rawValue, case .bytes(let note) = value { try body(NoteView(note)) }
        }
    }

    /// Whether these are the bytes that this release encodes a landmark in: then they can be kept and passed on as they
    /// are, since any reader understands them alike. What is other is left to the generated code.
    public var isPlain: Bool {
        guard isInOrder, id != nil, WireText.isText(name), WireText.isText(kind), WireText.isText(link),
            WireText.isText(user)
        else { return false }
        var fields = WireFields(texts)
        while let (field, value) = fields.next() {
            if LandmarkField.attributeType(field) == .text, case .bytes(let text) = value, !WireText.isText(text) {
                return false
            }
        }
        if let source, SourceKeyView(source)?.isPlain != true { return false }
        var isPlain = true
        forEachNote { if $0?.isPlain != true { isPlain = false } }
        return isPlain
    }
}
