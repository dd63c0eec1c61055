// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import Landmarks

/// What arrives, what is asked, and the end of a simulation.
extension RelaySimulation {
    // MARK: Relays

    mutating func relaysTake() {
        for index in relays.indices where relays[index].receiver != nil {
            if relays[index].pull != nil, chance(2) { answerRelay(index) }
            if relays[index].pull == nil, chance(3) { took(relays[index].retry(), by: index) }
            guard !relays[index].wire.isEmpty else { continue }
            let message = relays[index].wire.removeFirst()
            took(relays[index].receive(message), by: index)
        }
    }

    /// Storage answers what a relay has missed. A relay behind another one asks storage too.
    private mutating func answerRelay(_ index: Int, fails mayFail: Bool = true) {
        guard let since = relays[index].pull else { return }
        relays[index].pull = nil
        guard isStorageUp, !mayFail || !chance(4) else { return relays[index].pullFailed() }
        switch storage.changes(since: since, limit: 1 + any(6), isFiltered: false) {
        case .success(let page): took(relays[index].took(page), by: index)
        case .failure: relays[index].end()
        }
    }

    mutating func took(_ outcome: SimulatedRelay.Outcome, by index: Int) {
        for message in outcome.ofEverything { send(message, from: index, ofMatches: false) }
        for message in outcome.ofMatches { send(message, from: index, ofMatches: true) }
        if outcome.hasEnded { relays[index].end() }
    }

    // MARK: Subscribers

    mutating func subscribersTake() {
        for number in subscribers.indices where chance(2) {
            let isOld = !subscribers[number].old.isEmpty && (subscribers[number].wire.isEmpty || chance(2))
            subscribers[number].deliver(old: isOld)
        }
    }

    mutating func answerPulls() {
        for number in subscribers.indices {
            if subscribers[number].pull == nil {
                if chance(4) { subscribers[number].retry() }
            } else if chance(2) {
                answerPull(number)
            }
        }
    }

    /// Any query service may be asked, also another one than the relay that is followed.
    private mutating func answerPull(_ number: Int, fails mayFail: Bool = true) {
        guard let since = subscribers[number].pull else { return }
        if mayFail, chance(4) { return subscribers[number].pullFailed() }
        let isFiltered = subscribers[number].isFiltered
        let log = relays[any(relays.count)].relay.log
        let limit = 1 + any(6)
        if let page = log?.page(after: since, isFiltered: isFiltered, limit: limit) {
            answeredByRelays += 1
            return subscribers[number].took(page)
        }
        guard isStorageUp else { return subscribers[number].pullFailed() }
        passedOn += 1
        switch storage.changes(since: since, limit: limit, isFiltered: isFiltered) {
        case .success(let page): subscribers[number].took(page)
        case .failure: subscribers[number].end()
        }
    }

    // MARK: The end

    /// Delivers everything that is under way, until all have everything, and checks what they got.
    mutating func settle() {
        isStorageUp = true
        for _ in 0..<6 {
            for index in relays.indices where relays[index].receiver == nil { load(index) }
            storageBeats()
            settleRelays()
            for index in relays.indices { relayBeats(index) }
            settleRelays()
            settleSubscribers()
        }
        for (number, subscriber) in subscribers.enumerated() {
            guard problem == nil else { return }
            if let wrong = verdict(on: subscriber) {
                problem =
                    "subscriber \(number) \(subscriber.isFiltered ? "of what matches" : "of everything"): \(wrong)"
            }
        }
    }

    private mutating func settleRelays() {
        for index in relays.indices {
            for _ in 0..<10_000 where relays[index].receiver != nil {
                if relays[index].pull != nil {
                    answerRelay(index, fails: false)
                } else if !relays[index].wire.isEmpty {
                    let message = relays[index].wire.removeFirst()
                    took(relays[index].receive(message), by: index)
                } else {
                    took(relays[index].retry(), by: index)
                    if relays[index].pull == nil { break }
                }
            }
        }
    }

    private mutating func settleSubscribers() {
        for number in subscribers.indices {
            for _ in 0..<10_000 where !subscribers[number].hasEnded {
                if subscribers[number].pull != nil {
                    answerPull(number, fails: false)
                } else if !subscribers[number].old.isEmpty || !subscribers[number].wire.isEmpty {
                    subscribers[number].deliver(old: !subscribers[number].old.isEmpty)
                } else {
                    subscribers[number].retry()
                    if subscribers[number].pull == nil { break }
                }
            }
        }
    }

    /// What is wrong with what a subscriber got; nil: nothing.
    private func verdict(on subscriber: SimulatedSubscriber) -> String? {
        if let problem = subscriber.problem { return problem }
        guard !subscriber.hasEnded else { return mayEnd ? nil : "ended for no reason" }
        let expected = storage.expected(
            after: subscriber.start, through: storage.head, isFiltered: subscriber.isFiltered)
        if subscriber.received != expected { return "got \(subscriber.received), the log has \(expected)" }
        if subscriber.receiver.position.rev != storage.head { return "the position is not the head" }
        return subscriber.isCaughtUp ? nil : "not caught up"
    }
}

extension RelayLog {
    fileprivate func page(after since: Position, isFiltered: Bool, limit: Int) -> RelaySimulation.Page? {
        let filter: (([UInt8]) -> FeedOperation?) = { $0[0] == 1 ? .changed : nil }
        let found = page(
            after: since, most: limit, mostBytes: 17 * 4, mostExamined: 5, operation: isFiltered ? filter : nil)
        guard let page = found else { return nil }
        return (page.changes.map { SimulatedStorage.Entry.decoded([UInt8]($0)) }, page.through, run)
    }
}
