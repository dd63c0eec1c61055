// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Reads the events of one stream. The service writes whole events, so the lines with the sizes of HTTP's chunks are
/// lines between events, which are passed over.
struct StreamParser {
    enum Event {
        case begun
        /// A change, whose landmark was named `s` and this number.
        case change(Int)
        /// A revision that is not higher than the one before.
        case disorder
        case ended
    }

    let descriptor: Int32
    private var rest: [UInt8] = []
    private var isChange = false
    private var rev: UInt64 = 0

    init(descriptor: Int32) { self.descriptor = descriptor }

    mutating func events(in part: UnsafeRawBufferPointer) -> [Event] {
        var bytes = rest + part
        var (events, start) = ([Event](), 0)
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            // The line becomes a text of C, which its functions can search.
            bytes[end] = 0
            bytes.withUnsafeBytes { bytes in
                guard let line = bytes.baseAddress?.advanced(by: start).assumingMemoryBound(to: CChar.self) else {
                    return
                }
                if let event = read(line) { events.append(event) }
            }
            start = end + 1
        }
        rest = Array(bytes[start...])
        return events
    }

    private mutating func read(_ line: UnsafePointer<CChar>) -> Event? {
        if Self.has(line, "retry: ") { return .begun }
        if Self.has(line, "event: ") {
            isChange = Self.has(line, "event: added")
            return Self.has(line, "event: compacted") || Self.has(line, "event: signed_out") ? .ended : nil
        }
        if Self.has(line, "id: "), let dash = strrchr(line, Int32(UInt8(ascii: "-"))) {
            let next = UInt64(strtoull(dash + 1, nil, 10))
            defer { rev = next }
            // A beacon may repeat the revision before it.
            return next < rev || isChange && next == rev ? .disorder : nil
        }
        guard isChange, Self.has(line, "data: "), let name = strstr(line, "\"name\":\"s") else { return nil }
        return .change(Int(strtoll(name + 9, nil, 10)))
    }

    private static func has(_ line: UnsafePointer<CChar>, _ word: StaticString) -> Bool {
        strncmp(line, UnsafeRawPointer(word.utf8Start).assumingMemoryBound(to: CChar.self), word.utf8CodeUnitCount) == 0
    }
}
