// SPDX-License-Identifier: Apache-2.0

public import Landmarks

/// An encoded `Change`, looked at where it lies. Good as long as the bytes are.
public struct ChangeView {
    public private(set) var rev: UInt64 = 0
    /// As it stands there; `operation` says what it is here.
    private(set) var number: UInt64 = 0
    private var user = UnsafeRawBufferPointer(start: nil, count: 0)
    /// An encoded `Landmark`, as it was after the change.
    public private(set) var landmark: UnsafeRawBufferPointer?
    /// An encoded `Landmark`, as it was before; nil when it was added.
    public private(set) var before: UnsafeRawBufferPointer?
    private var isInOrder = true

    /// Nil for bytes that are no encoded message.
    public init?(_ bytes: UnsafeRawBufferPointer) {
        var last: UInt64 = 0
        var fields = WireFields(bytes)
        while let (field, value) = fields.next() {
            if field <= last { isInOrder = false }
            last = field
            switch (ChangeField(rawValue: field), value) {
            case (.rev, .number(let told)): rev = told
            case (.at, .number): break
            case (.operation, .number(let told)): number = told
            case (.user, .bytes(let bytes)): user = bytes
            case (.landmark, .bytes(let bytes)): landmark = bytes
            case (.before, .bytes(let bytes)): before = bytes
            default: isInOrder = false
            }
        }
        guard fields.isWhole else { return nil }
    }

    var wireOperation: WireChange.Operation {
        WireChange.Operation(rawValue: Int(Int32(truncatingIfNeeded: number))) ?? .unspecified
    }

    /// Nil for one that a later version of the protocol may have.
    public var operation: Change.Operation? { Change.Operation(wireOperation) }

    /// As ``LandmarkView/isPlain``.
    var isPlain: Bool {
        guard isInOrder, WireText.isText(user) else { return false }
        if let landmark, LandmarkView(landmark)?.isPlain != true { return false }
        if let before, LandmarkView(before)?.isPlain != true { return false }
        return true
    }
}
