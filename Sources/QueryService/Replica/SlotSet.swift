// SPDX-License-Identifier: Apache-2.0

/// A set of slots, in ascending order. A word holds 64 consecutive slots as bits, and words without a slot are left
/// out. So a set of all slots takes less than two bits for each slot, and a set of few scattered slots takes twelve
/// bytes for each.
struct SlotSet: Sendable {
    /// The numbers of the words, ascending. A word's number is that of its slots without their lowest six bits.
    private var numbers: [UInt32] = []
    private var words: [UInt64] = []
    private(set) var count = 0

    init() {}

    /// Makes a set of slots that are given in any order and are all less than `end`.
    init(_ slots: [UInt32], below end: Int) {
        // If the slots are many, they are set as bits in an array of all words, because sorting them would take longer.
        guard slots.count > end / 64 else {
            for slot in slots.sorted() { insert(slot) }
            return
        }
        var bits = [UInt64](repeating: 0, count: (end + 63) / 64)
        for slot in slots where Int(slot) < end {
            let (number, bit) = Self.place(slot)
            bits[Int(number)] |= bit
        }
        for (number, word) in bits.enumerated() where word != 0 {
            numbers.append(UInt32(number))
            words.append(word)
            count += word.nonzeroBitCount
        }
    }

    /// Adds a slot. Does nothing if the set already has the slot.
    mutating func insert(_ slot: UInt32) {
        let (number, bit) = Self.place(slot)
        let index = index(of: number)
        if index == numbers.count || numbers[index] != number {
            numbers.insert(number, at: index)
            words.insert(0, at: index)
        }
        if words[index] & bit == 0 { count += 1 }
        words[index] |= bit
    }

    mutating func remove(_ slot: UInt32) {
        let (number, bit) = Self.place(slot)
        let index = index(of: number)
        guard index < numbers.count, numbers[index] == number, words[index] & bit != 0 else { return }
        count -= 1
        words[index] &= ~bit
        guard words[index] == 0 else { return }
        numbers.remove(at: index)
        words.remove(at: index)
    }

    /// Returns the slots that are in at least one of the two sets.
    func union(_ other: SlotSet) -> SlotSet {
        var union = SlotSet()
        union.numbers.reserveCapacity(numbers.count + other.numbers.count)
        union.words.reserveCapacity(numbers.count + other.numbers.count)
        var (mine, theirs) = (0, 0)
        while mine < numbers.count || theirs < other.numbers.count {
            let number = min(
                mine < numbers.count ? numbers[mine] : .max, theirs < other.numbers.count ? other.numbers[theirs] : .max
            )
            var word: UInt64 = 0
            if mine < numbers.count, numbers[mine] == number {
                word |= words[mine]
                mine += 1
            }
            if theirs < other.numbers.count, other.numbers[theirs] == number {
                word |= other.words[theirs]
                theirs += 1
            }
            union.numbers.append(number)
            union.words.append(word)
            union.count += word.nonzeroBitCount
        }
        return union
    }

    /// Calls `body` with the slots from `slot` on, as long as `body` returns true.
    ///
    /// - Returns: the slot to continue from; nil at the end of the set.
    func forward(from slot: UInt32, _ body: (UInt32) -> Bool) -> UInt32? {
        let (first, bit) = Self.place(slot)
        for index in index(of: first)..<numbers.count {
            // In the first word, the bits of lower slots than the first are ignored.
            var word = numbers[index] == first ? words[index] & ~(bit - 1) : words[index]
            while word != 0 {
                let found = numbers[index] << 6 | UInt32(word.trailingZeroBitCount)
                word &= word - 1
                if !body(found) { return found == .max ? nil : found + 1 }
            }
        }
        return nil
    }

    private static func place(_ slot: UInt32) -> (number: UInt32, bit: UInt64) { (slot >> 6, 1 << UInt64(slot & 63)) }

    /// The index of the first word with this number or a higher one.
    private func index(of number: UInt32) -> Int {
        // New landmarks have the highest slots, so the last word is tried first.
        guard let last = numbers.last, number <= last else { return numbers.count }
        guard number < last else { return numbers.count - 1 }
        return numbers.withUnsafeBufferPointer { numbers in (0..<numbers.count).partition { numbers[$0] < number } }
    }
}
