// SPDX-License-Identifier: Apache-2.0

/// The slots that have changed during scans in progress, in the order of the changes. Bounded: the oldest are dropped,
/// and a scan that has not read those gives up.
struct TouchedSlots {
    /// The least number of slots that are kept; at most twice as many are.
    static let most = 65_536

    private var slots: [UInt32] = []
    /// Slots dropped so far.
    private var dropped = 0
    private var scans = 0

    /// The number of changes so far.
    private var count: Int { dropped + slots.count }
    /// Slots in memory.
    var kept: Int { slots.count }

    mutating func add(_ slot: UInt32) {
        guard scans > 0 else { return }
        if slots.count == 2 * Self.most {
            slots.removeFirst(Self.most)
            dropped += Self.most
        }
        slots.append(slot)
    }

    /// Begins to record changed slots.
    ///
    /// - Returns: the number of changes so far, for `after(_:)`.
    mutating func begin() -> Int {
        scans += 1
        return count
    }

    mutating func end() {
        scans -= 1
        if scans == 0 { self = TouchedSlots() }
    }

    /// The slots after the first `count` changes; nil if some of them were dropped.
    func after(_ count: Int) -> ArraySlice<UInt32>? {
        count < dropped ? nil : slots[(count - dropped)...]
    }
}
