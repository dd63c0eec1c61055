// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Counts the bytes of frames that libzmq holds. A frame counts from its creation until libzmq has written it to its
/// connection, or the connection has ended.
///
/// libzmq limits its queues only by the number of messages. With this counter a service limits them by bytes, for each
/// peer and for all peers together.
public final class HeldBytes: Sendable {
    private let bytes = Atomic<Int>(0)
    private let whole: HeldBytes?

    /// The cost of a frame beside its payload, in bytes: three structs of 64 bytes and the object that keeps the
    /// payload.
    public static let overhead = 512

    /// - Parameter whole: a second counter to which these bytes are added too, for example for all peers together.
    public init(partOf whole: HeldBytes? = nil) { self.whole = whole }

    /// The number of bytes held, overheads included. May still include frames that libzmq's threads have just released.
    public var count: Int { bytes.load(ordering: .relaxed) }

    func add(_ count: Int) {
        bytes.add(count, ordering: .relaxed)
        whole?.add(count)
    }
}
