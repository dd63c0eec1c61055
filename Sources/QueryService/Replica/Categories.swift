// SPDX-License-Identifier: Apache-2.0

/// The kinds, users or sources of landmarks. Each distinct text has a number, and for each number there is the set of
/// the landmarks that have the text.
///
/// So a query for a rare text examines only these landmarks, and a filter compares numbers instead of texts.
struct Categories {
    private var numbers: [String: UInt32] = ["": 0]
    private var texts: [String] = [""]
    private var latest: (text: String, number: UInt32) = ("", 0)
    /// The landmarks of each number. The empty text has number 0. A query for it finds the landmarks without a kind or
    /// source.
    private var members: [SlotSet] = [SlotSet()]

    mutating func number(of text: String) -> UInt32 {
        // Consecutive landmarks often have the same text, such as their source, or no user.
        if text == latest.text { return latest.number }
        let number = numbers[text] ?? add(text)
        latest = (text, number)
        return number
    }

    private mutating func add(_ text: String) -> UInt32 {
        let number = UInt32(texts.count)
        numbers[text] = number
        texts.append(text)
        members.append(SlotSet())
        return number
    }

    /// Returns the number of a text; nil if no landmark has ever had the text.
    func existing(_ text: String) -> UInt32? { numbers[text] }

    func text(of number: UInt32) -> String { texts[Int(number)] }

    /// Returns the landmarks with this number, in the order of slots, because landmarks that arrived together are near
    /// each other in memory.
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
