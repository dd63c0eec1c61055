// SPDX-License-Identifier: Apache-2.0

internal import CZeroMQ
import ZeroMQ

/// Makes the sockets of the sender and the receivers.
extension BusStreamTest {
    /// Returns a function that makes the receiver with a number for an endpoint. All receivers share one context.
    func intakes<Intake>(
        _ shape: LoadShape, _ make: @escaping (consuming Socket, Int) -> Intake
    ) throws -> (String, Int) throws(ZeroMQError) -> Intake {
        let context = try Context(maxSockets: receivers + 16)
        let (options, names) = (receiverOptions(shape), topics?.names ?? [])
        return { (endpoint, place) throws(ZeroMQError) in
            let socket = try Socket(pattern == .push ? .pull : .sub, context: context, options: options)
            if let topics, !topics.isWhole {
                for topic in topics.topics(of: place).joined() { try socket.subscribe(names[topic]) }
            } else if pattern == .pub {
                try socket.subscribe([])
            }
            try socket.connect(endpoint)
            return make(socket, place)
        }
    }

    /// Returns the pace of the receiver with a number; nil if it is not slow.
    func pace(of place: Int, _ shape: LoadShape) -> ReceiverPace? {
        guard let slow, place < slow.count else { return nil }
        return ReceiverPace(slow.share * (topics.map { Double($0.subscribed) / Double($0.topics) } ?? 1), of: shape)
    }

    private func receiverOptions(_ shape: LoadShape) -> SocketOptions {
        var options = target.options(for: target.receive)
        // Messages beyond the limit wait at the sender, or are dropped there. Without a limit, memory would hide how
        // slow the receiver is.
        options.receiveHighWaterMark = highWaterMark(shape)
        // libzmq drops subscriptions beyond the high-water mark for sending.
        if topics != nil { options.sendHighWaterMark = 0 }
        return options
    }

    func bareIntakes(
        _ shape: LoadShape, _ tag: UInt64
    ) -> (String, Int) throws(ZeroMQError) -> BareStreamEnd {
        let context = BareContext(sockets: receivers)
        return { (endpoint, _) throws(ZeroMQError) in
            let end = BareStreamEnd(
                pattern == .push ? ZMQ_PULL : ZMQ_SUB, in: context, highWaterMark: highWaterMark(shape),
                most: message.sizes.usual, tag: tag)
            try end.connect(endpoint)
            return end
        }
    }

    /// Returns the high-water mark in messages: in a closed loop the window; in an open loop enough for any bus that
    /// keeps up with the rate.
    func highWaterMark(_ shape: LoadShape) -> Int {
        if case .closed(let window) = shape.loop { window } else { openHighWaterMark }
    }

    func socket(_ shape: LoadShape, context: Context) throws -> Socket {
        var options = target.options(for: target.endpoint)
        options.linger = .seconds(10)
        // The backlog must hold all receivers, because they connect at the same time.
        options.backlog = 1_024
        options.sendHighWaterMark = highWaterMark(shape)
        // Queue nothing while nobody is connected. (A socket that never reads may use this option: see SocketOptions.)
        options.immediate = pattern == .push
        let socket = try Socket(pattern == .push ? .push : .pub, context: context, options: options)
        if let endpoint = target.endpoint { try socket.connect(endpoint) }
        return socket
    }
}
