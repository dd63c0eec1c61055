// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ
internal import Synchronization

/// The part of a ``SocketMonitor`` that only the event loop uses, with the socket from which libzmq's events are read.
final class MonitorSource {
    private static let lastNumber = Atomic<Int>(0)

    private let monitored: SharedSocket
    /// Released when the monitor ends, so that a monitor still referenced does not block ``Context/terminate()``.
    private var pair: Socket?
    private let onEvent: (SocketEvent, String) -> Void
    private var watch: SocketWatch?
    private var isOver = false

    init(
        _ monitored: SharedSocket, on loop: EventLoop, onEvent: @escaping (SocketEvent, String) -> Void
    ) throws(ZeroMQError) {
        self.monitored = monitored
        self.onEvent = onEvent
        var options = SocketOptions()
        // No limit, because when the queue of events is full, libzmq's threads wait, and all traffic with them.
        options.receiveHighWaterMark = 0
        let pair = try Socket(.pair, context: monitored.context, options: options)
        let number = Self.lastNumber.add(1, ordering: .relaxed).newValue
        let endpoint = "inproc://zeromq-swift-monitor-\(number)"
        guard zmq_socket_monitor(monitored.handle, endpoint, ZMQ_EVENT_ALL) == 0 else {
            throw ZeroMQError("zmq_socket_monitor", endpoint: endpoint)
        }
        monitored.isMonitored = true
        try pair.connect(endpoint)
        watch = loop.watch(pair, onReadable: { [weak self] in self?.receive() })
        self.pair = consume pair
    }

    func cancel() {
        guard !isOver else { return }
        isOver = true
        watch?.cancel()
        // Stop the events before closing their receiver, without which libzmq's threads would wait forever.
        if monitored.isOpen, monitored.isMonitored {
            monitored.isMonitored = false
            zmq_socket_monitor(monitored.handle, nil, 0)
        }
        pair = nil
    }

    func receive() {
        var message = Message()
        do {
            while try pair?.receive(into: &message) == true {
                guard let (event, endpoint) = Self.event(in: message) else { continue }
                if event == .stopped { cancel() }
                onEvent(event, endpoint)
            }
        } catch {
            // The context was shut down. The handler of the monitored socket encounters this error too.
            cancel()
        }
    }

    /// "The first frame contains an event number (16 bits), and an event value (32 bits) ... The second frame contains
    /// a string that specifies the affected endpoint."
    private static func event(in message: borrowing Message) -> (SocketEvent, String)? {
        guard message.count == 2, message.byteCount(at: 0) == 6 else { return nil }
        let event = message.withUnsafeBytes(at: 0) { bytes in
            SocketEvent(
                number: bytes.loadUnaligned(as: UInt16.self),
                value: bytes.loadUnaligned(fromByteOffset: 2, as: UInt32.self))
        }
        guard let event else { return nil }
        return (event, message.withUnsafeBytes(at: 1) { String(decoding: $0, as: UTF8.self) })
    }
}
