// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Counts the bytes of frames that libzmq holds: from when they are made until nobody can read them any more, because
/// they were written to their connection or the connection is gone.
///
/// libzmq bounds its queues by messages only. With this a service bounds them by bytes, for each peer and for all.
public final class HeldBytes: Sendable {
    private let bytes = Atomic<Int>(0)
    private let whole: HeldBytes?

    /// What a frame costs beside its bytes: three messages of 64 bytes, and what keeps the payload.
    public static let overhead = 512

    /// - Parameter whole: counts these too.
    public init(partOf whole: HeldBytes? = nil) { self.whole = whole }

    /// Overheads included. What libzmq's threads have let go of a moment ago may still be in it.
    public var count: Int { bytes.load(ordering: .relaxed) }

    func add(_ count: Int) {
        bytes.add(count, ordering: .relaxed)
        whole?.add(count)
    }
}
