// SPDX-License-Identifier: Apache-2.0

import LoadTest
import Synchronization
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
        _ context: Context, endpoint: String, security: SocketSecurity?, _ names: WrittenNames, _ times: SendTimes
    ) throws(ZeroMQError) {
        (self.names, self.times) = (names, times)
        socket = try Socket(.sub, context: context, options: .waymarkClient(of: endpoint, security))
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
            let change = fields.next(FeedBatchField.changes)
            offset = bytes.count - fields.rest.count
            return change.map { arrival($0) }
        }
    }

    /// Reads an encoded `Change`: its revision, and the number in its landmark's name if this test wrote the landmark.
    private func arrival(_ change: UnsafeRawBufferPointer) -> StreamArrival {
        let view = ChangeView(change)
        let landmark = view?.landmark.flatMap { LandmarkView($0) }
        let number = landmark.flatMap { names.number(in: $0.name) }
        return times.arrival(of: number, bytes: change.count, order: view?.rev ?? 0)
    }
}

/// The times at which the writes were meant to be sent, stored by the writing thread and read by the receiving one.
final class SendTimes: Sendable {
    private static let room: UInt64 = 1 << 20

    private let ring = Mutex([(number: UInt64, time: UInt64)](repeating: (0, 0), count: Int(SendTimes.room)))

    func note(_ number: UInt64, _ time: UInt64) {
        ring.withLock { $0[Int(number % Self.room)] = (number, time) }
    }

    /// Returns the intended time of a write; nil if a later write has overwritten it.
    func time(_ number: UInt64) -> UInt64? {
        let entry = ring.withLock { $0[Int(number % Self.room)] }
        return entry.number == number ? entry.time : nil
    }

    /// Makes the arrival of a change, which belongs to a different test without the number of a known write.
    func arrival(of number: UInt64?, bytes: Int, order: UInt64) -> StreamArrival {
        let known = number.flatMap { self.time($0) }
        return StreamArrival(number: known == nil ? nil : number, intended: known ?? 0, bytes: bytes, order: order)
    }
}
