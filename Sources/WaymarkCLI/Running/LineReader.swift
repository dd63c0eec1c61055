// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// Reads lines from a file descriptor. Keeps only the beginning of an overlong line in memory.
final class LineReader: Sendable {
    /// The maximum size of a returned line in bytes. A note of 10,000 characters is smaller. Callers have limits
    /// of their own, and refuse a line that reaches this size.
    static let mostBytes = 256 * 1024

    /// The only reader of stdin in the process, because bytes that it has read ahead belong to the next line.
    static let stdin = LineReader(descriptor: STDIN_FILENO)

    private let descriptor: Int32
    private let ahead = Mutex<ArraySlice<UInt8>>([])

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Reads the next line and returns it without its end; nil at the end of the input. The rest of a line longer than
    /// ``mostBytes`` is skipped. Bytes that are not UTF-8 become U+FFFD. Blocks the calling thread.
    func next() -> String? {
        ahead.withLock { ahead in
            var line: [UInt8] = []
            while true {
                if ahead.isEmpty { ahead = read()[...] }
                guard !ahead.isEmpty else { return line.isEmpty ? nil : Self.text(line) }
                let part = ahead.prefix { $0 != 0x0a }
                line += part.prefix(Self.mostBytes - line.count)
                let hasEnded = part.endIndex < ahead.endIndex
                ahead = ahead[part.endIndex...].dropFirst(hasEnded ? 1 : 0)
                if hasEnded { return Self.text(line) }
            }
        }
    }

    private static func text(_ line: [UInt8]) -> String {
        String(decoding: line.last == 0x0d ? line.dropLast() : line[...], as: UTF8.self)
    }

    /// Reads the next bytes; empty at the end of the input.
    private func read() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 16 * 1024) { room, count in
            var read = -1
            repeat { read = Glibc.read(descriptor, room.baseAddress, room.count) } while read < 0 && errno == EINTR
            count = max(0, read)
        }
    }
}
