// SPDX-License-Identifier: Apache-2.0

internal import CZeroMQ

/// A plain libzmq context for the sockets of one thread. It has one I/O thread, as the tested bus has.
public final class BareContext {
    let pointer = zmq_ctx_new()

    /// - Parameter sockets: the number of sockets that will be opened.
    public init(sockets: Int) {
        zmq_ctx_set(pointer, ZMQ_MAX_SOCKETS, Int32(clamping: sockets + 16))
    }

    deinit { zmq_ctx_term(pointer) }
}
