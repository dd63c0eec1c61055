// SPDX-License-Identifier: Apache-2.0

import LoadTest
import WaymarkProtocol
import ZeroMQ

/// A receiver that subscribes to all changes as the protocol describes it. It ignores changes that others wrote. The
/// first beacon (the regular message of the feed) counts as the greeting.
final class FeedIntake: StreamIntake {
    private let topic = FeedTopic.everything
    /// The number of bytes that were already read from the present batch; 0 if there is none.
    private var offset = 0
    private let socket: Socket
    private let times: SendTimes
    private let names: WrittenNames
    private var message = Message()

    init(
        _ context: Context, endpoint: String, security: SocketSecurity? = nil, run: String,
        times: SendTimes
    ) throws(ZeroMQError) {
        self.times = times
        names = WrittenNames(run: run)
        var options = SocketOptions.client
        options.maxMessageSize = WaymarkProtocol.messageBytes
        options.security = security
        options.ipv6 = EndpointFamily.isIPv6(endpoint)
        socket = try Socket(.sub, context: context, options: options)
        try socket.subscribe(topic.bytes)
        try socket.connect(endpoint)
    }

    func join(_ poller: inout ReceivePoller) throws(ZeroMQError) { try poller.add(socket) }

    func receive() throws(ZeroMQError) -> StreamArrival? {
        if let arrival = nextOfBatch() { return arrival }
        guard try socket.receive(into: &message) else { return nil }
        let bytes = message.totalByteCount
        guard message.count == 1 else { return StreamArrival(number: nil, intended: 0, bytes: bytes) }
        offset = topic.bytes.count
        return nextOfBatch() ?? StreamArrival(number: 0, intended: 0, bytes: bytes)
    }

    /// Returns the next change of the batch in `message`; nil if there is none.
    private func nextOfBatch() -> StreamArrival? {
        guard offset > 0, message.count == 1, offset < message.byteCount(at: 0) else { return nil }
        return message.withUnsafeBytes(at: 0) { bytes in
            var fields = WireFields(UnsafeRawBufferPointer(rebasing: bytes[offset...]))
            while let (field, value) = fields.next() {
                offset = bytes.count - fields.rest.count
                if field == FeedBatchField.changes.rawValue, case .bytes(let change) = value {
                    return arrival(change)
                }
            }
            offset = bytes.count
            return nil
        }
    }

    /// Reads an encoded `Change`: its revision, and the number in its landmark's name if this test wrote the landmark.
    private func arrival(_ change: UnsafeRawBufferPointer) -> StreamArrival {
        guard let view = ChangeView(change), let landmark = view.landmark.flatMap({ LandmarkView($0) }),
            let sent = names.number(in: landmark.name), let time = times.time(sent)
        else { return StreamArrival(number: nil, intended: 0, bytes: change.count) }
        return StreamArrival(number: sent, intended: time, bytes: change.count, order: view.rev)
    }
}
