// SPDX-License-Identifier: Apache-2.0

/// The slots that have changed while scans were in progress, in the order of the changes. Their number is limited: the
/// oldest are dropped, and a scan that has not read these gives up.
struct TouchedSlots {
    /// At least this many of the latest slots are kept, and at most twice as many.
    static let most = 65_536

    private(set) var slots: [UInt32] = []
    /// The number of slots dropped so far.
    private var dropped = 0
    private var scans = 0

    /// The number of changes so far.
    private var count: Int { dropped + slots.count }

    mutating func add(_ slot: UInt32) {
        guard scans > 0 else { return }
        if slots.count == 2 * Self.most {
            slots.removeFirst(Self.most)
            dropped += Self.most
        }
        slots.append(slot)
    }

    /// Begins to record changed slots for one more scan.
    ///
    /// - Returns: the number of changes so far, to be passed to `after(_:)`.
    mutating func begin() -> Int {
        scans += 1
        return count
    }

    mutating func end() {
        scans -= 1
        if scans == 0 { self = TouchedSlots() }
    }

    /// Returns the slots changed after the first `count` changes; nil if some of these slots were dropped.
    func after(_ count: Int) -> ArraySlice<UInt32>? {
        count < dropped ? nil : slots[(count - dropped)...]
    }
}
