// SPDX-License-Identifier: Apache-2.0

/// The kinds of landmarks, or their users, or their sources: each text by a number, and which landmarks have it.
///
/// So a question about something rare looks at those few, and not at all there are.
struct Categories {
    private var interner = Interner()
    /// By number; that of the empty text is 0, and can be asked for too: what has no kind, or no source.
    private var members: [OrderedSlots] = [OrderedSlots()]

    mutating func number(of text: String) -> UInt32 {
        let number = interner.number(of: text)
        while members.count <= Int(number) { members.append(OrderedSlots()) }
        return number
    }

    /// Nil for a text that no landmark has ever had.
    func existing(_ text: String) -> UInt32? { interner.existing(text) }

    /// The landmarks that have it, in the order of slots: near each other in memory when they came together.
    func members(of number: UInt32) -> OrderedSlots { members[Int(number)] }

    mutating func insert(_ slot: UInt32, into number: UInt32) {
        members[Int(number)].insert(slot, <)
    }

    mutating func remove(_ slot: UInt32, from number: UInt32) {
        members[Int(number)].remove(slot, <)
    }

    /// Puts all of them in, before any other is.
    ///
    /// - Parameter numbers: of each slot; nil: nothing is there.
    mutating func fill(_ numbers: some Sequence<UInt32?>) {
        var slots = [[UInt32]](repeating: [], count: members.count)
        for (slot, number) in numbers.enumerated() {
            if let number { slots[Int(number)].append(UInt32(slot)) }
        }
        members = slots.map { OrderedSlots(sorted: $0) }
    }
}
