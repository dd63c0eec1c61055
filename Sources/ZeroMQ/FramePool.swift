// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Memory for the payloads of frames, used again: one thread makes the frames, libzmq's threads let go of them.
///
/// Without it each payload of some kilobytes is given back to the C library by another thread than it was taken by, and
/// there both wait for one lock, asleep.
///
/// `@unchecked Sendable`: `free` is only touched by ``take()``, which is called by the one thread that makes the frames,
/// and by `deinit`, when nobody has the pool any more. Each block that is out keeps the pool alive.
public final class FramePool: @unchecked Sendable {
    /// What a block has, with what stands in front of the payload.
    static let blockBytes = 4_096
    /// So many that lie idle are kept.
    private static let mostIdle = 256

    /// Blocks that have come back: the address of the last one, whose first word is that of the one before. Any thread
    /// adds to it; all are taken at once, so that none can be taken and come back while another looks at it.
    private let returned = Atomic<UInt>(0)
    private let idle = Atomic<Int>(0)
    /// Blocks to be taken, linked in the same way.
    private var free: UInt = 0

    public init() {}

    deinit {
        for first in [free, returned.load(ordering: .acquiring)] {
            var next = first
            while let block = UnsafeMutableRawPointer(bitPattern: next) {
                next = block.load(as: UInt.self)
                block.deallocate()
            }
        }
    }

    /// A block, with anything in it.
    func take() -> UnsafeMutableRawPointer {
        if free == 0 { free = returned.exchange(0, ordering: .acquiring) }
        guard let block = UnsafeMutableRawPointer(bitPattern: free) else {
            return .allocate(byteCount: Self.blockBytes, alignment: 8)
        }
        free = block.load(as: UInt.self)
        idle.subtract(1, ordering: .relaxed)
        return block
    }

    /// Takes a block back, on any thread.
    func give(_ block: UnsafeMutableRawPointer) {
        guard idle.load(ordering: .relaxed) < Self.mostIdle else { return block.deallocate() }
        idle.add(1, ordering: .relaxed)
        var last = returned.load(ordering: .relaxed)
        while true {
            block.storeBytes(of: last, as: UInt.self)
            let (isDone, current) = returned.weakCompareExchange(
                expected: last, desired: UInt(bitPattern: block), ordering: .releasing)
            if isDone { return }
            last = current
        }
    }

    /// How many blocks lie idle.
    var idleCount: Int { idle.load(ordering: .relaxed) }
}
