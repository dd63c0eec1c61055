// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Geodesy
import Landmarks
import SwiftProtobuf
import TestSupport
import WaymarkProtocol

/// Makes valid encodings with extreme numbers. It takes the part of a decoder: the generated code asks it for the value of
/// each field, so a field or a message that is added is made by itself.
struct MessageMaker {
    /// No message has a greater number of a field.
    static let mostFields = 80

    var random: SplitMix64
    /// Ids of landmarks and notes that there are.
    var ids: [UUIDv7]
    /// The epoch and the run of storage.
    var epochs: [UUIDv7]
    /// The newest revision that an answer told.
    var head: UInt64 = 1
    /// One of so many numbers is extreme.
    private var rarity: UInt64 = 1
    private var message = ""
    /// Whether a message that there is gets some extreme numbers, and is left as it is otherwise.
    private(set) var isChanging = false
    /// The numbers of the fields that are still to be made.
    private var fields: [Int] = []
    private var field = 0

    init(seed: UInt64, ids: [UUIDv7] = [], epochs: [UUIDv7] = []) {
        (random, self.ids, self.epochs) = (SplitMix64(seed: seed), ids, epochs)
    }

    /// - Throws: never; the generated code could.
    mutating func request(_ kind: RequestKind) throws -> WireRequest {
        var request = WireRequest()
        rarity = random.element(of: [2, 6, 20, 20, 1 << 40])
        fields = [Int(kind.rawValue)]
        try request.decodeMessage(decoder: &self)
        return request
    }

    /// A request that was answered, with some of its numbers extreme.
    mutating func changed(_ request: WireRequest) throws -> WireRequest {
        var request = request
        rarity = random.element(of: [2, 3, 8])
        (fields, isChanging) = ([Int(request.kind.rawValue)], true)
        defer { isChanging = false }
        try request.decodeMessage(decoder: &self)
        return request
    }

    mutating func made<Made: SwiftProtobuf.Message>(_ old: Made = Made()) throws -> Made {
        var made = old
        var maker = self
        maker.message = String(Made.protoMessageName.split(separator: ".").last ?? "")
        // Of a oneof the last one counts, so the order is another one each time.
        // The fewer fields there are, the fewer contradict each other.
        let share = isChanging ? 1 : random.element(of: [1, 0.6, 0.3, 0.15])
        maker.fields = (1...Self.mostFields).filter { _ in random.unit() < share }.shuffled(using: &random)
        maker.random = random
        try made.decodeMessage(decoder: &maker)
        random = maker.random
        return made
    }

    /// Whether the next message is the command of a request.
    var isCommand: Bool { message.isEmpty }

    mutating func nextFieldNumber() -> Int? {
        field = fields.popLast() ?? 0
        return field > 0 ? field : nil
    }

    // MARK: Values

    mutating func word(_ old: UInt64?) -> UInt64 {
        if random.isOne(of: rarity) {
            return random.isOne(of: 4)
                ? random.element(of: [.max, .max >> 1, 1 << 63]) : random.element(of: Extremes.words)
        }
        // Small numbers are limits and versions; the others are a time and a revision that is still kept.
        return old ?? (random.isOne(of: 12) ? 1_795_388_400_000 : random.isOne(of: 6) ? head : random.next() % 12)
    }

    mutating func double(_ old: Double?) -> Double {
        if random.isOne(of: rarity) { return random.element(of: Extremes.doubles) }
        // A rating or a position.
        return old ?? (random.isOne(of: 2) ? random.unit() * 5 : random.unit() * 160 - 80)
    }

    mutating func number(_ old: Int?) -> Int {
        random.isOne(of: rarity)
            ? Int(Int32(truncatingIfNeeded: random.element(of: Extremes.words))) : old ?? Int(random.next() % 4)
    }

    mutating func text() -> String {
        random.element(of: [
            "", "", "kiosk", "armando", "ann", "a", "Mo-Su 08:00-18:00", "week 1-53/2 Mo; easter +999 days 24/7",
            "(sunrise-47:59)-(dusk+47:59)", "https://example.org/",
        ])
    }

    mutating func bytes(_ old: [UInt8]?) -> [UInt8] {
        if var old, isChanging {
            if random.isOne(of: rarity) { random.putExtreme(into: &old) }
            return old
        }
        switch random.isOne(of: 8) ? "" : message {
        case "Near", "List": return cursor()
        case "Position" where field == Int(PositionField.run.rawValue): return epochs.last?.bytes ?? []
        case "Position", "FollowAccounts": return epochs.first?.bytes ?? []
        case "Hello": return (try? topic()) ?? []
        case "AddKey", "EndKey", "SignIn", "SetPassword": return (0..<4).flatMap { _ in random.next().bytes }
        case "": return random.isOne(of: 2) ? [] : cursor()
        default: return ids.isEmpty ? [] : random.element(of: ids).bytes
        }
    }

    /// A topic with a filter, which is not always one that anybody may subscribe to.
    mutating func topic() throws -> [UInt8] {
        let filter = [UInt8](try made(WireFeedFilter()).serializedBytes() as [UInt8])
        guard random.isOne(of: 2), filter.count < 256 else {
            return try FeedTopic(carrying: FeedFilter(made(WireFeedFilter()))).bytes
        }
        return FeedTopic.everything.bytes.dropLast() + [UInt8(filter.count)] + filter
    }

    /// A cursor as an answer gives it, or one with an extreme number in it.
    mutating func cursor() -> [UInt8] {
        guard !random.isOne(of: 4) else { return [] }
        let id = ids.isEmpty ? UUIDv7(high: 1, low: 1) : random.element(of: ids)
        let end = random.element(of: Self.ends(id))
        var bytes = (random.isOne(of: 2) ? end : .at(1_795_388_400_000, end)).bytes
        if !random.isOne(of: 4) { random.putExtreme(into: &bytes) }
        return bytes
    }

    private static func ends(_ id: UUIDv7) -> [Cursor] {
        [.recent(5), .name("kiosk", id), .prominence(3.5, 1_000, id)]
            + ((try? Coordinate(latitude: 1, longitude: 2)).map { [.place($0, id)] } ?? [])
    }
}

extension UInt64 {
    fileprivate var bytes: [UInt8] { Swift.withUnsafeBytes(of: self) { Array($0) } }
}
