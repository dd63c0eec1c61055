// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import WaymarkProtocol
import ZeroMQ

/// A SUB socket that subscribes to one topic. It receives waiting messages for up to two milliseconds in each turn of
/// the loop. The publisher drops messages for a subscriber that leaves too many in its socket, but a burst must not
/// delay the answers to requests.
final class FeedSubscription {
    private static let longestTurn: UInt64 = 2_000_000

    /// The content of a message, after its header.
    enum Content {
        case beacon
        case change(EncodedChange)
        /// A change that cannot be read.
        case unreadable
    }

    let address: FeedAddress
    /// Whether any message has been received from this address.
    private(set) var isHeard: Bool
    private let topic: FeedTopic
    private let connection: Connection
    private let hear: (FeedHeader, Content) -> Void

    /// - Parameters:
    ///   - keys: the subscriber's own keys, used if the publisher encrypts.
    ///   - before: the previous subscription, which the new one replaces.
    ///   - hear: called on the event loop with each header and its content.
    init(
        _ topic: FeedTopic, at address: FeedAddress, loop: EventLoop, context: Context, keys: CurveKeyPair?,
        after before: FeedSubscription?, hear: @escaping (FeedHeader, Content) -> Void
    ) throws(ZeroMQError) {
        (self.topic, self.address, self.hear) = (topic, address, hear)
        isHeard = before?.address == address && before?.isHeard == true
        var security: SocketSecurity?
        if let key = address.key {
            // Encryption needs a key pair on both sides. A publisher that requires known keys refuses temporary keys
            // just as it refuses a subscriber without keys.
            let own: CurveKeyPair
            if let keys { own = keys } else { own = try CurveKeyPair.generate() }
            security = .curveClient(serverKey: key, keys: own)
        }
        connection = try Connection(
            .sub, to: address.endpoint, loop: loop, context: context, security: security, topic: topic.bytes)
        connection.start(on: loop, onReadable: { [weak self] in self?.drain() })
    }

    /// The reason why nothing is received from the publisher.
    var loss: FeedLoss {
        FeedLoss(endpoint: address.endpoint, cause: FeedLoss.Cause(connection.reach, wasHeard: isHeard))
    }

    func close() { connection.close() }

    private func drain() {
        let end = Monotonic.nanoseconds + Self.longestTurn
        repeat {
            guard connection.receive() else { return }
            hearBatch()
        } while Monotonic.nanoseconds < end
    }

    private func hearBatch() {
        guard connection.incoming.count == 1 else { return }
        // Copy the bytes, because the handler of a change may end the subscription, which frees the message.
        let bytes = connection.incoming.bytes(at: 0)
        bytes.withUnsafeBytes { bytes in
            guard bytes.starts(with: topic.bytes),
                let batch = FeedBatchView(UnsafeRawBufferPointer(rebasing: bytes[topic.bytes.count...]))
            else { return }
            if batch.count == 0 { return heard(batch.header, .beacon) }
            batch.forEach { header, change in
                heard(header, change.map(Content.change) ?? .unreadable)
                return connection.isOpen
            }
        }
    }

    private func heard(_ header: FeedHeader, _ content: Content) {
        isHeard = true
        hear(header, content)
    }
}
