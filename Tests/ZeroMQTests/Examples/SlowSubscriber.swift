// SPDX-License-Identifier: Apache-2.0
import ZeroMQ

/// What a subscriber got of messages that are numbered from 0.
struct Tally: Sendable {
    var received = 0
    var missing = 0
    private var next = 0

    /// A message came: those between the last one and this one were dropped.
    mutating func note(_ number: Int) {
        // It comes from the network: whatever runs backwards is no number of ours.
        guard number >= next, number < .max else { return }
        missing += number - next
        received += 1
        next = number + 1
    }

    /// The publisher says how many it has sent: the last ones may have been dropped too.
    mutating func noteHead(_ count: Int) {
        guard count >= next else { return }
        missing += count - next
        next = count
    }
}

/// Publishes faster than the subscriber reads. A publisher never waits: what does not fit into the queues, here 100
/// messages on each side, is dropped, and nobody is told.
func publishToSlowSubscriber(count: Int, at endpoint: String, _ context: Context) async throws -> Tally {
    try await withEventLoop("news") { loop in
        var options = SocketOptions.service
        options.sendHighWaterMark = 100
        let publisher = try await AsyncSocket(.xpub, context: context, on: loop, options: options)
        let bound = try await publisher.bind(endpoint)

        options = .client
        options.receiveHighWaterMark = 100
        let subscriber = try await AsyncSocket(.sub, context: context, on: loop, options: options)
        for topic in ["news", "head"] { try await subscriber.subscribe(topic) }
        try await subscriber.connect(bound)
        // An xpub receives the subscriptions. What is published before they have come reaches nobody.
        for _ in ["news", "head"] { _ = try await publisher.receive() }

        for number in 0..<count { try await publisher.send([Array("news".utf8), Array("\(number)".utf8)]) }

        // Now and then the publisher says how many it has sent. Without that nobody would miss the last ones.
        let heads = Task {
            while !Task.isCancelled {
                try await publisher.send([Array("head".utf8), Array("\(count)".utf8)])
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        var tally = Tally()
        for try await message in subscriber.messages {
            guard message.count == 2, let number = Int(message[1].text) else { continue }
            if message[0].text == "news" { tally.note(number) } else { tally.noteHead(number) }
            if message[0].text == "head" { break }
        }
        heads.cancel()
        return tally
    }
}
