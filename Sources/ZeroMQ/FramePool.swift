// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Reuses the memory of frames' payloads. One thread makes the frames, and libzmq's threads release them.
///
/// Without the pool, one thread would allocate each payload of some kilobytes and another thread would free it. In the
/// C library both threads then sleep while they wait for the same lock.
///
/// `@unchecked Sendable`: `free` is only touched by `take()`, which is called by the one thread that makes the frames,
/// and by `deinit`, when nobody has the pool any more. Each block in use keeps the pool alive.
public final class FramePool: @unchecked Sendable {
    /// The size of a block, including the header in front of the payload.
    static let blockBytes = 4_096
    /// The maximum number of idle blocks. Blocks returned beyond it are freed.
    private static let mostIdle = 256

    /// The returned blocks, as a linked list: the pointer to the newest block, whose first word is the pointer to the
    /// next. Any thread adds blocks, but ``take()`` takes the whole list. If it took a single block, that block might
    /// be returned again while another thread still reads it.
    private let returned = Atomic<UInt>(0)
    private let idle = Atomic<Int>(0)
    /// The blocks that ``take()`` hands out, linked in the same way.
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

    /// Takes a block, whose content is undefined.
    func take() -> UnsafeMutableRawPointer {
        if free == 0 { free = returned.exchange(0, ordering: .acquiring) }
        guard let block = UnsafeMutableRawPointer(bitPattern: free) else {
            return .allocate(byteCount: Self.blockBytes, alignment: 8)
        }
        free = block.load(as: UInt.self)
        idle.subtract(1, ordering: .relaxed)
        return block
    }

    /// Returns a block to the pool, on any thread.
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

    /// The number of idle blocks.
    var idleCount: Int { idle.load(ordering: .relaxed) }
}
