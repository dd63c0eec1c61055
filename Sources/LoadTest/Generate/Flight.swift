// SPDX-License-Identifier: Apache-2.0

/// The operations under way, by number, each with its intended time. Numbers grow; room is bounded.
struct Flight {
    private var times: [UInt64]
    private var clients: [UInt32]
    private let mask: UInt64
    private(set) var count = 0
    /// The oldest number that may be under way.
    private var oldest: UInt64 = 1
    private var newest: UInt64 = 0

    /// - Parameter most: operations under way at once; rounded up to a power of two.
    init(most: Int) {
        var size = 2
        while size < most { size *= 2 }
        times = Array(repeating: 0, count: size)
        clients = Array(repeating: 0, count: size)
        mask = UInt64(size - 1)
    }

    /// Whether the next number has a place: none that is as old as the room is large is under way any more.
    var hasRoom: Bool { newest + 1 - oldest <= mask }

    /// - Parameter intended: more than 0.
    mutating func begin(_ number: UInt64, intended: UInt64, client: Int) {
        times[Int(number & mask)] = intended
        clients[Int(number & mask)] = UInt32(client)
        newest = number
        count += 1
    }

    /// - Returns: nil when it is not under way (any more).
    mutating func end(_ number: UInt64) -> (intended: UInt64, client: Int)? {
        guard number >= oldest, number <= newest else { return nil }
        let place = Int(number & mask)
        guard times[place] > 0 else { return nil }
        defer {
            times[place] = 0
            count -= 1
            forgetEnded()
        }
        return (times[place], Int(clients[place]))
    }

    /// Ends the oldest one that was intended before `time`; nil when there is none.
    mutating func expire(before time: UInt64) -> (number: UInt64, client: Int)? {
        guard count > 0, times[Int(oldest & mask)] < time else { return nil }
        let number = oldest
        return end(number).map { (number, $0.client) }
    }

    private mutating func forgetEnded() {
        while oldest <= newest, times[Int(oldest & mask)] == 0 { oldest += 1 }
    }
}
