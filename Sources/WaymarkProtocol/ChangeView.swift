// SPDX-License-Identifier: Apache-2.0

public import Landmarks

/// Reads an encoded `Change` without copying it. Valid as long as the bytes.
public struct ChangeView {
    public private(set) var rev: UInt64 = 0
    /// The time of the change in Unix milliseconds.
    private(set) var at: UInt64 = 0
    /// The encoded value of `operation`.
    private var number: UInt64 = 0
    private(set) var user = UnsafeRawBufferPointer(start: nil, count: 0)
    /// The encoded `Landmark` after the change.
    public private(set) var landmark: UnsafeRawBufferPointer?
    /// The encoded `Landmark` before the change; nil if the change added it.
    public private(set) var before: UnsafeRawBufferPointer?
    private var isInOrder = true

    /// Finds the fields. Nil if the bytes are not an encoded message.
    public init?(_ bytes: UnsafeRawBufferPointer) {
        var last: UInt64 = 0
        var fields = WireFields(bytes)
        while let (field, value) = fields.next() {
            if field <= last { isInOrder = false }
            last = field
            switch (ChangeField(rawValue: field), value) {
            case (.rev, .number(let value)): rev = value
            case (.at, .number(let value)): at = value
            case (.operation, .number(let value)): number = value
            case (.user, .bytes(let bytes)): user = bytes
            case (.landmark, .bytes(let bytes)): landmark = bytes
            case (.before, .bytes(let bytes)): before = bytes
            default: isInOrder = false
            }
        }
        guard fields.isWhole else { return nil }
    }

    /// The operation of the change; nil if only a later version of the protocol knows it.
    public var operation: Change.Operation? {
        WireChange.Operation(rawValue: Int(Int32(truncatingIfNeeded: number))).flatMap { Change.Operation($0) }
    }

    /// Whether the bytes are exactly as this release encodes a change; see ``LandmarkView/isPlain``. Checks neither
    /// landmark.
    var isPlain: Bool { isInOrder && WireText.isText(user) }
}
