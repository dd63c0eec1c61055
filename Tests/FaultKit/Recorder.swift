// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import ZeroMQ

/// An append-only file with one record a line. Records that were passed to the kernel survive `kill -9` of this
/// process.
public final class Recorder: Sendable {
    private let descriptor: Int32
    private let buffer = Locked<[UInt8]>([])

    /// Opens or creates a file. An incomplete last line, left by a killed process, is cut off.
    public init(_ path: String) throws {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw FaultError("\(path) cannot be opened: errno \(errno)") }
        var end = lseek(descriptor, 0, SEEK_END)
        var byte: UInt8 = 0
        while end > 0, pread(descriptor, &byte, 1, end - 1) == 1, byte != 10 { end -= 1 }
        guard ftruncate(descriptor, end) == 0, lseek(descriptor, end, SEEK_SET) == end else {
            throw FaultError("\(path) cannot be cut: errno \(errno)")
        }
    }

    deinit {
        flush()
        close(descriptor)
    }

    /// - Parameter now: whether to write the record before returning. Otherwise a later record or ``flush()`` writes
    ///   it.
    public func record(_ line: String, now: Bool = false) {
        buffer.withLock { buffer in
            buffer.append(contentsOf: line.utf8)
            buffer.append(10)
            if now || buffer.count > 16_384 { write(&buffer) }
        }
    }

    public func flush() {
        buffer.withLock { write(&$0) }
    }

    /// Writes buffered records repeatedly until the process ends.
    public func flushAlways(every milliseconds: UInt32 = 50) {
        Thread.detachNewThread { [self] in
            while true {
                usleep(milliseconds * 1_000)
                flush()
            }
        }
    }

    private func write(_ buffer: inout [UInt8]) {
        var start = 0
        while start < buffer.count {
            let count = buffer[start...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { fatalError("a history cannot be written: errno \(errno)") }
            start += count
        }
        buffer.removeAll(keepingCapacity: true)
    }
}

/// A failure of the harness itself.
public struct FaultError: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}
