// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import Glibc
import WaymarkProtocol
import ZeroMQ

/// A SUB socket on one topic. It always receives all waiting messages: if they stayed in the socket, the publisher would
/// drop later ones.
final class FeedSubscription {
    /// A change as it arrived; nil if it cannot be read.
    struct Payload {
        var change: ReceivedChange?
        var byteCount: Int

        init(_ bytes: [UInt8]) { (change, byteCount) = (ReceivedChange(bytes), bytes.count) }
    }

    let address: FeedAddress
    /// Whether a message has come from this address.
    private(set) var isHeard: Bool
    private let topic: FeedTopic
    private let connection: Connection
    private let hear: (FeedHeader, Payload?) -> Void

    /// - Parameters:
    ///   - before: the subscription that this one takes the place of.
    ///   - hear: called on the loop with each header and its change; a beacon has none.
    init(
        _ topic: FeedTopic, at address: FeedAddress, loop: EventLoop, context: Context, security: SocketSecurity?,
        after before: FeedSubscription?, hear: @escaping (FeedHeader, Payload?) -> Void
    ) throws(ZeroMQError) {
        (self.topic, self.address, self.hear) = (topic, address, hear)
        isHeard = before?.address == address && before?.isHeard == true
        connection = try Connection(
            .sub, to: address.endpoint, loop: loop, context: context, security: security, topic: topic.bytes)
        connection.watch(on: loop, onReadable: { [weak self] in self?.drain() })
    }

    /// Why nothing is received.
    var loss: FeedLoss {
        FeedLoss(endpoint: address.endpoint, cause: FeedLoss.Cause(connection.reach, wasHeard: isHeard))
    }

    func close() { connection.close() }

    private func drain() {
        for _ in 0..<1_024 {
            guard connection.receive() else { return }
            switch topic.form {
            case .single: hearSingle()
            case .batched: hearBatch()
            }
        }
    }

    private func heard(_ header: FeedHeader, _ payload: Payload?) {
        isHeard = true
        hear(header, payload)
    }

    private func hearSingle() {
        guard (2...3).contains(connection.incoming.count),
            connection.incoming.withUnsafeBytes(at: 0, { $0.count == topic.bytes.count && beginsWithTopic($0) }),
            let header = connection.incoming.withUnsafeBytes(at: 1, { FeedHeader(encoded: $0) })
        else { return }
        heard(header, connection.incoming.count == 3 ? Payload(connection.incoming.bytes(at: 2)) : nil)
    }

    private func hearBatch() {
        guard connection.incoming.count == 1 else { return }
        // A copy: whoever hears a change may end the subscription, and its socket with the message.
        let bytes = connection.incoming.bytes(at: 0)
        bytes.withUnsafeBytes { bytes in
            guard beginsWithTopic(bytes),
                let batch = FeedBatchView(UnsafeRawBufferPointer(rebasing: bytes[topic.bytes.count...]))
            else { return }
            if batch.count == 0 { return heard(batch.header, nil) }
            batch.forEach { header, change in
                heard(header, Payload([UInt8](change)))
                return connection.isOpen
            }
        }
    }

    private func beginsWithTopic(_ bytes: UnsafeRawBufferPointer) -> Bool {
        topic.bytes.withUnsafeBytes {
            $0.count <= bytes.count && memcmp($0.baseAddress!, bytes.baseAddress!, $0.count) == 0
        }
    }
}

/// Subscribes to one topic at one address after the other.
struct FeedSubscriber {
    let loop: EventLoop
    let context: Context
    /// The subscriber's own, for a publisher that encrypts.
    let keys: CurveKeyPair?
    let topic: FeedTopic

    func subscribe(
        to address: FeedAddress, after before: FeedSubscription?,
        hear: @escaping (FeedHeader, FeedSubscription.Payload?) -> Void
    ) throws(ZeroMQError) -> FeedSubscription {
        var security: SocketSecurity?
        if let key = address.key {
            // A publisher that encrypts refuses whoever has no key; a key of the moment meets the same refusal.
            let own: CurveKeyPair
            if let keys { own = keys } else { own = try CurveKeyPair.generate() }
            security = .curveClient(serverKey: key, keys: own)
        }
        return try FeedSubscription(
            topic.inForm(address.form), at: address, loop: loop, context: context, security: security, after: before,
            hear: hear)
    }
}
