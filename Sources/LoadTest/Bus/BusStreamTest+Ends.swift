// SPDX-License-Identifier: Apache-2.0

internal import CZeroMQ
import ZeroMQ

/// Makes the sockets of the sender and the receivers.
extension BusStreamTest {
    /// Returns a function that makes a receiver for an endpoint. All receivers share one context.
    func intakes(_ shape: LoadShape, _ tag: UInt64) throws -> (String) throws -> BusIntake {
        let context = try Context(maxSockets: receivers + 16)
        let ipv6 = receiveEndpoint.map(EndpointFamily.resolvesToIPv6) ?? false
        return { endpoint in
            var options = SocketOptions.client
            // Messages beyond the limit wait at the sender, or are dropped there. Without a limit, memory would hide
            // how slow the receiver is.
            options.receiveHighWaterMark = highWaterMark(shape)
            options.ipv6 = ipv6
            let socket = try Socket(pattern == .push ? .pull : .sub, context: context, options: options)
            if pattern == .pub { try socket.subscribe([]) }
            try socket.connect(endpoint)
            return BusIntake(socket, tag: tag)
        }
    }

    func bareIntakes(_ shape: LoadShape, _ tag: UInt64) -> (String) throws -> BareStreamEnd {
        let context = BareContext(sockets: receivers)
        return { endpoint in
            let end = BareStreamEnd(
                pattern == .push ? ZMQ_PULL : ZMQ_SUB, in: context, highWaterMark: highWaterMark(shape), most: size,
                tag: tag)
            try end.connect(endpoint)
            return end
        }
    }

    /// Returns the high-water mark in messages: in a closed loop the window; in an open loop enough for any bus that
    /// keeps up with the rate.
    func highWaterMark(_ shape: LoadShape) -> Int {
        if case .closed(let window) = shape.loop { window } else { 100_000 }
    }

    func socket(_ shape: LoadShape, context: Context) throws -> Socket {
        var options = SocketOptions.client
        options.linger = .seconds(10)
        // The backlog must hold all receivers, because they connect at the same time.
        options.backlog = 1_024
        options.sendHighWaterMark = highWaterMark(shape)
        // Queue nothing while nobody is connected. (A socket that never reads may use this option: see SocketOptions.)
        options.immediate = pattern == .push
        options.ipv6 = endpoint.map(EndpointFamily.resolvesToIPv6) ?? false
        let socket = try Socket(pattern == .push ? .push : .pub, context: context, options: options)
        if let endpoint { try socket.connect(endpoint) }
        return socket
    }
}
