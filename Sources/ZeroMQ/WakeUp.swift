// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ
internal import Glibc

/// Wakes a thread that waits for file descriptors.
final class WakeUp: Sendable {
    /// Readable after ``call()`` until ``clear()``; -1 if the process has no file descriptor left.
    let descriptor: Int32

    init() { descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func call() {
        var one: UInt64 = 1
        // Writing fails only if the counter is full. In this case the descriptor is readable already.
        _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    func clear() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
    }
}
