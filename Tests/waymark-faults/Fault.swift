// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// A fault of a round, with its duration in milliseconds.
enum Fault: Sendable {
    case killStorage, termStorage
    case stopStorage(Int)
    case killQuery(Int)
    case stopQuery(Int, Int)
    case killSubscriber(Int)
    case stopSubscriber(Int, Int)
    case killWriter(Int)
    case cut
    case freeze(Int)
    case freezeCommands(Int)
    case drop(Int)
    case delay(UInt32, Int)

    var name: String {
        switch self {
        case .killStorage: "kill-storage"
        case .termStorage: "term-storage"
        case .stopStorage: "stop-storage"
        case .killQuery: "kill-query"
        case .stopQuery: "stop-query"
        case .killSubscriber: "kill-subscriber"
        case .stopSubscriber: "stop-subscriber"
        case .killWriter: "kill-writer"
        case .cut: "cut"
        case .freeze: "freeze-feed"
        case .freezeCommands: "freeze-commands"
        case .drop: "drop"
        case .delay: "delay"
        }
    }

    static func any(_ random: inout SplitMix64, queries: Int, subscribers: Int, writers: Int) -> Fault {
        func below(_ count: Int) -> Int { Int(random.next() % UInt64(max(1, count))) }
        let time = 500 + below(5_000)
        switch below(20) {
        case 0, 1, 2: return .killStorage
        case 3: return .termStorage
        case 4: return .stopStorage(time)
        case 5, 6: return .killQuery(below(queries))
        case 7: return .stopQuery(below(queries), time)
        case 8, 9, 10: return .killSubscriber(below(subscribers))
        case 11: return .stopSubscriber(below(subscribers), time * 3)
        case 12: return .killWriter(below(writers))
        case 13: return .cut
        case 14: return .freeze(time)
        case 15: return .freezeCommands(time)
        case 16: return .delay(UInt32(1 + below(50)), time)
        default: return .drop(1 + below(40))
        }
    }
}
