// SPDX-License-Identifier: Apache-2.0

import CZeroMQ
import Foundation
import Landmarks
import SwiftProtobuf
import WaymarkProtocol

/// Measures from a write to its receipt with plain calls of libzmq at both ends of storage: the time without the
/// client's threads and tasks. Like ``BareBus``, one thread sends and another one receives.
final class PlainPath {
    private let context = zmq_ctx_new()
    private let commands: UnsafeMutableRawPointer?
    private let body: [UInt8]
    private let client = Data(UUID().uuidString.utf8.prefix(16))
    private var sequence: UInt64 = 0
    /// Written by the receiving thread, read by the sending one.
    private let received = NSCondition()
    // Accessed only while `received` is locked.
    nonisolated(unsafe) private var count = 0

    /// - Parameters:
    ///   - draft: the landmark to write; it must match the topic's filter.
    init(commands endpoint: String, changes: String, topic: FeedTopic, draft: LandmarkDraft) throws {
        var request = WireRequest()
        request.add.draft = WireLandmarkDraft(draft)
        body = try request.serializedBytes()
        commands = zmq_socket(context, ZMQ_DEALER)
        zmq_connect(commands, endpoint)
        // Created here and then used by the other thread alone.
        nonisolated(unsafe) let subscriber = zmq_socket(context, ZMQ_SUB)
        zmq_setsockopt(subscriber, ZMQ_SUBSCRIBE, topic.bytes, topic.bytes.count)
        zmq_connect(subscriber, changes)
        // The caller keeps `self` alive until close() has ended the other thread's receiving.
        nonisolated(unsafe) let path = self
        Thread.detachNewThread {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while case let bytes = Int(zmq_recv(subscriber, &buffer, buffer.count, 0)), bytes >= 0 {
                let batch = buffer.prefix(bytes).dropFirst(topic.bytes.count)
                for _ in 0..<(batch.withUnsafeBytes { FeedBatchView($0)?.count } ?? 0) { path.heard() }
            }
            zmq_close(subscriber)
        }
        // Repeats until the subscription is active.
        for _ in 0..<100 where told == 0 {
            ask()
            answer()
            usleep(10_000)
        }
        usleep(20_000)
    }

    /// The number of frames; nil after the context was closed.
    private static func receive(_ socket: UnsafeMutableRawPointer?) -> Int? {
        var (frames, hasMore): (Int, CInt) = (0, 1)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while hasMore != 0 {
            guard zmq_recv(socket, &buffer, buffer.count, 0) >= 0 else { return nil }
            frames += 1
            var size = MemoryLayout<CInt>.size
            zmq_getsockopt(socket, ZMQ_RCVMORE, &hasMore, &size)
        }
        return frames
    }

    private func heard() {
        received.lock()
        count += 1
        received.signal()
        received.unlock()
    }

    private var told: Int {
        received.lock()
        defer { received.unlock() }
        return count
    }

    private func ask() {
        sequence += 1
        let header = WireRequestHeader.with {
            ($0.client, $0.sequence, $0.user) = (client, sequence, "measure")
        }
        let encoded: [UInt8] = (try? header.serializedBytes()) ?? []
        let signature = Signature(.request).bytes
        zmq_send(commands, signature, signature.count, ZMQ_SNDMORE)
        zmq_send(commands, encoded, encoded.count, ZMQ_SNDMORE)
        zmq_send(commands, body, body.count, 0)
    }

    private func answer() { _ = Self.receive(commands) }

    /// The time from sending to the receipt in the other thread.
    func write() -> Duration {
        received.lock()
        let before = count
        let begun = ContinuousClock.now
        ask()
        while count == before { received.wait() }
        let time = ContinuousClock.now - begun
        received.unlock()
        answer()
        return time
    }

    func close() {
        zmq_close(commands)
        zmq_ctx_shutdown(context)
    }
}
