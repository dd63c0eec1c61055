// SPDX-License-Identifier: Apache-2.0

/// The kinds of landmarks, or their users, or their sources. Each text has a number, and each number the set of the
/// landmarks that have it.
///
/// A query about something rare therefore looks at those few landmarks instead of all.
struct Categories {
    private var interner = Interner()
    /// The landmarks by number. The empty text has number 0 and can be queried too: landmarks without a kind or
    /// source.
    private var members: [SlotSet] = [SlotSet()]

    mutating func number(of text: String) -> UInt32 {
        let number = interner.number(of: text)
        while members.count <= Int(number) { members.append(SlotSet()) }
        return number
    }

    /// The number of a text; nil if no landmark has ever had it.
    func existing(_ text: String) -> UInt32? { interner.existing(text) }

    func text(of number: UInt32) -> String { interner.texts[Int(number)] }

    /// The landmarks that have this number, in the order of slots: those that came together are near each other in
    /// memory.
    func members(of number: UInt32) -> SlotSet { members[Int(number)] }

    func members(of numbers: [UInt32]) -> SlotSet {
        guard let first = numbers.first else { return SlotSet() }
        return numbers.dropFirst().reduce(members(of: first)) { $0.union(members(of: $1)) }
    }

    mutating func insert(_ slot: UInt32, into number: UInt32) {
        members[Int(number)].insert(slot)
    }

    mutating func remove(_ slot: UInt32, from number: UInt32) {
        members[Int(number)].remove(slot)
    }
}
