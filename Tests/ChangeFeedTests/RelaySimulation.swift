// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import Landmarks
import TestSupport
import WaymarkProtocol

/// Storage, relays before and behind each other, and their subscribers, over bad networks, driven by one seed.
///
/// The networks lose messages, repeat them, and are cut and reconnected while the old connection still delivers. Storage
/// is killed and restarted, compacted, and replaced by an older copy of its file or a restored backup. Relays are killed
/// and restarted. Subscribers resume at the revision where they are, move to another relay or to storage, and ask any
/// relay for what they missed; feeds lose their last subscriber and get another one.
struct RelaySimulation {
    typealias Entry = SimulatedStorage.Entry
    typealias Page = (changes: [(rev: UInt64, payload: Entry)], through: UInt64, run: UUIDv7)

    var random: SplitMix64
    private(set) var storage: SimulatedStorage
    private var copy: SimulatedStorage
    var isStorageUp = true
    var relays: [SimulatedRelay]
    var subscribers: [SimulatedSubscriber]
    var problem: String?
    /// Whether something happened that may end a feed.
    private(set) var mayEnd = false
    /// Who answered the subscribers' questions for what they missed.
    var answeredByRelays = 0
    var passedOn = 0

    /// - Parameter firstNumber: where relays begin to count. Only a broken simulation gives another one.
    init(
        seed: UInt64, subscribers count: Int, firstNumber: @escaping @Sendable () -> UInt64 = { FeedNumbering.ofOwn() }
    ) {
        random = SplitMix64(seed: seed)
        // Relays follow everything.
        storage = SimulatedStorage(&random, isWidened: true)
        copy = storage
        // The last one follows the first one's feed, the others storage's.
        relays = [nil, nil, 0].map { SimulatedRelay(source: $0, firstNumber: firstNumber) }
        subscribers = []
        for index in relays.indices { load(index) }
        for _ in 0..<count {
            let isTyped = random.next() % 2 == 0
            let rev = isTyped ? random.next() % (storage.head + 1) : storage.head
            let position = Position(epoch: storage.epoch, rev: rev, run: isTyped ? nil : storage.run)
            subscribers.append(SimulatedSubscriber(from: position, isFiltered: chance(2), source: nil))
            connect(subscribers.count - 1)
        }
    }

    mutating func chance(_ oneIn: UInt64) -> Bool { random.next() % oneIn == 0 }
    mutating func any(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

    // MARK: Steps

    mutating func step() {
        switch random.next() % 64 {
        case 0..<10: commit()
        case 10..<13: storageBeats()
        case 13..<17: for index in relays.indices { relayBeats(index) }
        case 17: loseSomewhere()
        case 18: repeatSomewhere()
        case 19: restartStorage()
        case 20: isStorageUp.toggle()
        case 21: restartRelay(any(relays.count))
        case 22: for index in relays.indices where relays[index].receiver == nil { load(index) }
        case 23: for index in relays.indices { fill(index) }
        case 24: dropMatches(any(relays.count))
        case 25: copy = storage
        case 26: rarely { $0.storage.putBack($0.copy) }
        case 27: rarely { $0.storage.restore($0.copy) }
        case 28: rarely { $0.storage.compact(below: $0.storage.head - min($0.storage.head, 5)) }
        case 29: relaysAreSilent()
        case 30..<33: for _ in 0..<max(1, subscribers.count / 8) { disturb(any(subscribers.count)) }
        case 33..<42: answerPulls()
        case 42..<50: relaysTake()
        default: subscribersTake()
        }
    }

    /// Most runs have no event that may end a feed.
    private mutating func rarely(_ body: (inout RelaySimulation) -> Void) {
        guard chance(40) else { return }
        mayEnd = true
        body(&self)
    }

    private mutating func commit() {
        guard isStorageUp, let message = storage.commit(&random) else { return }
        sendFromStorage(message)
    }

    mutating func storageBeats() { if isStorageUp { sendFromStorage(storage.beacon()) } }

    private mutating func sendFromStorage(_ message: SimulatedRelay.Message) {
        for index in relays.indices where relays[index].source == nil { relays[index].wire.append(message) }
        for index in subscribers.indices where subscribers[index].source == nil {
            subscribers[index].wire.append(message)
        }
    }

    mutating func relayBeats(_ index: Int) {
        if let beacon = relays[index].beacon(ofMatches: false) { send(beacon, from: index, ofMatches: false) }
        if let beacon = relays[index].beacon(ofMatches: true) { send(beacon, from: index, ofMatches: true) }
    }

    mutating func send(_ message: SimulatedRelay.Message, from index: Int, ofMatches: Bool) {
        if !ofMatches {
            for other in relays.indices where relays[other].source == index { relays[other].wire.append(message) }
        }
        for number in subscribers.indices
        where subscribers[number].source == index && subscribers[number].isFiltered == ofMatches {
            subscribers[number].wire.append(message)
        }
    }

    private mutating func restartStorage() {
        storage.start()
        isStorageUp = true
        guard chance(2) else { return }
        for index in relays.indices where relays[index].source == nil { relays[index].wire.removeAll() }
        for index in subscribers.indices where subscribers[index].source == nil { subscribers[index].wire.removeAll() }
    }

    private mutating func restartRelay(_ index: Int) {
        relays[index].restart()
        // The connections break; some of what was under way arrives.
        for number in subscribers.indices where subscribers[number].source == index {
            if chance(2) { subscribers[number].wire.removeAll() }
        }
        for other in relays.indices where relays[other].source == index && chance(2) {
            relays[other].wire.removeAll()
        }
        // libzmq subscribes again.
        if subscribers.contains(where: { $0.source == index && $0.isFiltered }) { relays[index].beginMatches() }
    }

    mutating func load(_ index: Int) {
        guard isStorageUp else { return }
        relays[index].load(
            at: Position(epoch: storage.epoch, rev: storage.head, run: storage.run), floor: storage.floor)
        if let source = relays[index].source {
            relays[index].wire = relays[source].beacon(ofMatches: false).map { [$0] } ?? []
        } else {
            relays[index].wire = [storage.beacon()]
        }
    }

    /// The read of what was before the relay's first change is answered, perhaps by another run or another history.
    private mutating func fill(_ index: Int) {
        guard let first = relays[index].fill?.before, isStorageUp else { return }
        let from = Position(epoch: first.epoch, rev: first.rev - min(first.rev, 12))
        guard case .success(let page) = storage.changes(since: from, limit: 12, isFiltered: false) else { return }
        let older = page.changes.filter { $0.rev <= first.rev }
        relays[index].filled(
            older.map { $0.payload.encoded($0.rev) }, through: min(page.through, first.rev), run: page.run)
    }

    private mutating func dropMatches(_ index: Int) {
        relays[index].dropMatches()
        for number in subscribers.indices where subscribers[number].source == index && subscribers[number].isFiltered {
            subscribers[number].wire.removeAll()
            connect(number, to: index)
        }
    }

    private mutating func relaysAreSilent() {
        for index in relays.indices where chance(2) {
            took(relays[index].silence(), by: index)
            // The replica is loaded again, from here or from a later position.
            if chance(4) { relays[index].end() }
        }
    }

    // MARK: Subscribers

    /// - Parameter target: nil: any.
    private mutating func connect(_ number: Int, to target: Int? = nil) {
        // Storage's feed of what matches has numbers of its own, which only `FeedSimulation` has.
        let choices = subscribers[number].isFiltered ? relays.count : relays.count + 1
        let choice = target ?? any(choices)
        subscribers[number].source = choice < relays.count ? choice : nil
        guard choice < relays.count else {
            if isStorageUp { subscribers[number].wire.append(storage.beacon()) }
            return
        }
        if subscribers[number].isFiltered { relays[choice].beginMatches() }
        if let beacon = relays[choice].beacon(ofMatches: subscribers[number].isFiltered) {
            subscribers[number].wire.append(beacon)
        }
    }

    private mutating func disturb(_ number: Int) {
        guard !subscribers[number].hasEnded else { return }
        switch random.next() % 5 {
        case 0: subscribers[number].silence()
        case 1: subscribers[number].poll()
        case 2:
            subscribers[number].resume()
            connect(number)
        default:
            // Another connection, to the same or to another publisher.
            subscribers[number].old = chance(2) ? subscribers[number].wire : []
            subscribers[number].wire = []
            connect(number)
        }
    }

    private mutating func loseSomewhere() {
        for index in relays.indices where !relays[index].wire.isEmpty && chance(2) {
            relays[index].wire.remove(at: any(relays[index].wire.count))
        }
        for number in subscribers.indices where !subscribers[number].wire.isEmpty && chance(4) {
            subscribers[number].wire.remove(at: any(subscribers[number].wire.count))
        }
    }

    private mutating func repeatSomewhere() {
        for index in relays.indices where chance(2) {
            if let message = relays[index].wire.randomElement(using: &random) {
                relays[index].wire.insert(message, at: 0)
            }
        }
        for number in subscribers.indices where chance(4) {
            if let message = subscribers[number].wire.randomElement(using: &random) {
                subscribers[number].wire.insert(message, at: 0)
            }
        }
    }
}
