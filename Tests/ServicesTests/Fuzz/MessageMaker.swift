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
    static let mostFields = 64

    var random: SplitMix64
    /// Ids of landmarks and notes that there are.
    var ids: [UUIDv7]
    /// The epoch and runs of storage.
    var epochs: [UUIDv7]
    /// One of so many numbers is extreme.
    private var rarity: UInt64 = 1
    private var message = ""
    /// The numbers of the fields that are still to be made.
    private var fields: [Int] = []

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

    mutating func made<Made: SwiftProtobuf.Message>(_ type: Made.Type = Made.self) throws -> Made {
        var made = Made()
        var maker = self
        maker.message = String(Made.protoMessageName.split(separator: ".").last ?? "")
        // Of a oneof the last one counts, so the order is another one each time.
        // The fewer fields there are, the fewer contradict each other.
        let share = random.element(of: [1, 0.6, 0.6, 0.3])
        maker.fields = (1...Self.mostFields).filter { _ in random.unit() < share }.shuffled(using: &random)
        maker.random = random
        try made.decodeMessage(decoder: &maker)
        random = maker.random
        return made
    }

    /// Whether the next message is the command of a request.
    var isCommand: Bool { message.isEmpty }

    mutating func nextFieldNumber() -> Int? { fields.popLast() }

    // MARK: Values

    mutating func word() -> UInt64 {
        if random.isOne(of: rarity) { return random.element(of: Extremes.words) }
        // Small numbers are limits, revisions and versions; the other one is a time.
        return random.isOne(of: 4) ? 1_795_388_400_000 : random.next() % 12
    }

    mutating func double() -> Double {
        if random.isOne(of: rarity) { return random.element(of: Extremes.doubles) }
        // A rating or a position.
        return random.isOne(of: 2) ? random.unit() * 5 : random.unit() * 160 - 80
    }

    mutating func number() -> Int {
        random.isOne(of: rarity)
            ? Int(Int32(truncatingIfNeeded: random.element(of: Extremes.words))) : Int(random.next() % 4)
    }

    mutating func text() -> String {
        random.element(of: [
            "", "", "kiosk", "armando", "ann", "a", "Mo-Su 08:00-18:00", "week 1-53/2 Mo; easter +999 days 24/7",
            "(sunrise-47:59)-(dusk+47:59)", "https://example.org/",
        ])
    }

    mutating func bytes() -> [UInt8] {
        switch random.isOne(of: 8) ? "" : message {
        case "Near", "List": return cursor()
        case "Position", "FollowAccounts": return epochs.isEmpty ? [] : random.element(of: epochs).bytes
        case "Hello": return (try? topic()) ?? []
        case "AddKey", "EndKey", "SignIn", "SetPassword": return (0..<4).flatMap { _ in random.next().bytes }
        case "": return random.isOne(of: 2) ? [] : cursor()
        default: return ids.isEmpty ? [] : random.element(of: ids).bytes
        }
    }

    /// A topic with a filter, which is not always one that anybody may subscribe to.
    mutating func topic() throws -> [UInt8] {
        let filter = [UInt8](try made(WireFeedFilter.self).serializedBytes() as [UInt8])
        guard random.isOne(of: 2), filter.count < 256 else { return try FeedTopic(carrying: FeedFilter(made())).bytes }
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
