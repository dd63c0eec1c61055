// SPDX-License-Identifier: Apache-2.0

internal import CZeroMQ

/// A context of libzmq's own, for the sockets of one thread: one I/O thread for all of them, as what is tested has.
public final class BareContext {
    let pointer = zmq_ctx_new()

    /// - Parameter sockets: how many there are going to be.
    public init(sockets: Int) {
        zmq_ctx_set(pointer, ZMQ_MAX_SOCKETS, Int32(clamping: sockets + 16))
    }

    deinit { zmq_ctx_term(pointer) }
}
