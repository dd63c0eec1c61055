// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// Reads lines from a descriptor. Only the beginning of an overlong line is kept in memory.
final class LineReader: Sendable {
    /// The most bytes of a returned line. A note of 10,000 characters fits. Callers have limits of their own, and
    /// refuse a line that reaches this one.
    static let mostBytes = 256 * 1024

    /// The process's only reader of stdin: what one command reads ahead belongs to the next line.
    static let stdin = LineReader(descriptor: STDIN_FILENO)

    private let descriptor: Int32
    private let ahead = Mutex<ArraySlice<UInt8>>([])

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// The next line without its end; nil at the end of the input. The rest of a line of more than ``mostBytes`` is
    /// skipped. Bytes that are not UTF-8 become U+FFFD. Blocks the calling thread.
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

    /// The next bytes; none at the end of the input.
    private func read() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 16 * 1024) { room, count in
            var read = -1
            repeat { read = Glibc.read(descriptor, room.baseAddress, room.count) } while read < 0 && errno == EINTR
            count = max(0, read)
        }
    }
}
