// SPDX-License-Identifier: Apache-2.0

public import Geodesy
public import Landmarks

/// Reads an encoded `Landmark` without copying it.
///
/// One pass finds the fields. Texts are not validated until they are used. Valid as long as the bytes. The result
/// equals that of the generated code, with one exception: if an embedded message occurs twice, the generated code
/// merges both, while only the last one counts here.
public struct LandmarkView {
    /// The id; nil if it does not have 16 bytes.
    public private(set) var id: Landmark.ID?
    public private(set) var name = UnsafeRawBufferPointer(start: nil, count: 0)
    /// The latitude in degrees, unchecked.
    public private(set) var lat = 0.0
    public private(set) var lng = 0.0
    public private(set) var kind = UnsafeRawBufferPointer(start: nil, count: 0)
    public private(set) var link = UnsafeRawBufferPointer(start: nil, count: 0)
    public private(set) var user = UnsafeRawBufferPointer(start: nil, count: 0)
    public private(set) var openingHours = UnsafeRawBufferPointer(start: nil, count: 0)
    public private(set) var rating: Double?
    public private(set) var ratings: Double?
    public private(set) var version: UInt64 = 0
    public private(set) var rev: UInt64 = 0
    /// The times of the first and of the latest version, in Unix milliseconds.
    public private(set) var created: UInt64 = 0
    public private(set) var updated: UInt64 = 0
    public private(set) var account: UInt64 = 0
    public private(set) var noteCount = 0
    /// An encoded `SourceKey`.
    private var sourceBytes: UnsafeRawBufferPointer?
    /// The bytes from the first note to the end. Other fields between the notes are skipped.
    private var noteBytes = UnsafeRawBufferPointer(start: nil, count: 0)
    /// The bytes from the first text attribute for which there is no property here, to the end.
    private var texts = UnsafeRawBufferPointer(start: nil, count: 0)
    private let whole: UnsafeRawBufferPointer
    /// A bit for each field that occurs. A number beyond 63 has the bit of a smaller one, which costs only a search.
    private var present: UInt64 = 0
    /// Whether every field is known, has its type and occurs once (except for notes), in the order of the numbers.
    private var isInOrder = true

    /// Finds the fields. Nil if the bytes are not an encoded message.
    public init?(_ bytes: UnsafeRawBufferPointer) {
        whole = bytes
        var (last, here): (UInt64, UnsafeRawBufferPointer) = (0, bytes)
        var fields = WireFields(bytes)
        while let (field, value) = fields.next() {
            if field <= last, field != LandmarkField.notes.rawValue || last != field { isInOrder = false }
            last = field
            present |= 1 &<< field
            switch value {
            case .bytes(let bytes):
                switch LandmarkField(rawValue: field) {
                case .id: id = UUIDv7(bytes: bytes)
                case .name: name = bytes
                case .user: user = bytes
                case .source: sourceBytes = bytes
                case .notes:
                    if noteBytes.isEmpty { noteBytes = here }
                    noteCount += 1
                default:
                    guard let (attribute, isText) = Attribute.entry(field), isText else {
                        isInOrder = false
                        break
                    }
                    switch attribute {
                    case .kind: kind = bytes
                    case .link: link = bytes
                    case .openingHours: openingHours = bytes
                    default: if texts.isEmpty { texts = here }
                    }
                }
            case .fixed64(let bits):
                let value = Double(bitPattern: bits)
                switch LandmarkField(rawValue: field) {
                case .lat: lat = value
                case .lng: lng = value
                default:
                    let entry = Attribute.entry(field)
                    if entry?.isText != false { isInOrder = false }
                    if entry?.attribute == .rating { rating = value }
                    if entry?.attribute == .ratings { ratings = value }
                }
            case .number(let number):
                switch LandmarkField(rawValue: field) {
                case .rev: rev = number
                case .version: version = number
                case .created: created = number
                case .updated: updated = number
                case .account: account = number
                default: isInOrder = false
                }
            case .fixed32: isInOrder = false
            }
            here = fields.rest
        }
        guard fields.isWhole else { return nil }
    }

    /// The coordinate; nil if the angles are no place on earth.
    public var coordinate: Coordinate? { try? Coordinate(wireLatitude: lat, longitude: lng) }

    /// The source; nil if the landmark has none, or one that cannot be read.
    public var source: SourceKeyView? { sourceBytes.flatMap { SourceKeyView($0) } }

    /// The name of the source. Empty if the landmark has no source, nil if the name cannot be read.
    public var sourceName: UnsafeRawBufferPointer? {
        hasSource ? source?.name : UnsafeRawBufferPointer(start: nil, count: 0)
    }

    public var hasSource: Bool { sourceBytes != nil }

    /// Returns the value of an attribute as it is encoded; nil if the landmark has none.
    public func value(of attribute: Attribute) -> WireFields.Value? {
        guard present & (1 &<< attribute.number) != 0 else { return nil }
        if attribute == .kind { return .bytes(kind) }
        if attribute == .link { return .bytes(link) }
        var (found, fields) = (WireFields.Value?.none, WireFields(whole))
        while let (field, value) = fields.next() {
            if field == attribute.number { found = value }
        }
        return found
    }

    /// The notes that can be read, in order.
    public var notes: [NoteView] {
        var notes: [NoteView] = []
        forEachNote { if let note = $0 { notes.append(note) } }
        return notes
    }

    /// Calls `body` with each note in order, and with nil for a note that cannot be read.
    public func forEachNote<Failure: Error>(_ body: (NoteView?) throws(Failure) -> Void) throws(Failure) {
        var fields = WireFields(noteBytes)
        while let note = fields.next(LandmarkField.notes) { try body(NoteView(note)) }
    }

    /// Whether the bytes are exactly as this release encodes a landmark. If so, they can be stored and forwarded
    /// unchanged, because every reader decodes them alike. Otherwise the generated code has to decode them.
    public var isPlain: Bool {
        guard isInOrder, id != nil, WireText.isText(name), WireText.isText(kind), WireText.isText(link),
            WireText.isText(user), WireText.isText(openingHours)
        else { return false }
        var fields = WireFields(texts)
        while let (field, value) = fields.next() {
            if Attribute.entry(field) != nil, case .bytes(let text) = value, !WireText.isText(text) {
                return false
            }
        }
        if hasSource, source?.isPlain != true { return false }
        var isPlain = true
        forEachNote { if $0?.isPlain != true { isPlain = false } }
        return isPlain
    }
}
