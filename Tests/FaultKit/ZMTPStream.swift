// SPDX-License-Identifier: Apache-2.0

/// Splits one direction of a ZMTP 3 connection into messages, and removes those to be dropped.
///
/// Frames follow a greeting of 64 bytes. A frame has a byte of flags (1 more, 2 long, 4 command), a length of one or
/// eight bytes, and a body. Commands always pass.
struct ZMTPStream {
    private static let greeting = 64
    private var waiting: [UInt8] = []
    private var greeted = 0
    private var toDrop = 0
    private var isInside = false
    private var isDropping = false
    /// The remaining bytes of the present frame.
    private var rest = 0
    private var isRestDropped = false
    var dropped = 0

    mutating func drop(_ messages: Int) { toDrop = messages }

    mutating func pass(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        // The usual case: nothing to drop. Between frames it applies only if no message is buffered.
        var passed: [UInt8] = []
        passed.reserveCapacity(bytes.count + waiting.count)
        var input = waiting.isEmpty ? bytes : ArraySlice(waiting + bytes)
        waiting = []
        while !input.isEmpty {
            if greeted < Self.greeting {
                let count = min(Self.greeting - greeted, input.count)
                passed += input.prefix(count)
                input = input.dropFirst(count)
                greeted += count
                continue
            }
            if rest > 0 {
                let count = min(rest, input.count)
                if !isRestDropped { passed += input.prefix(count) }
                input = input.dropFirst(count)
                rest -= count
                continue
            }
            guard let (flags, head, length) = Self.frame(input) else {
                waiting = Array(input)
                break
            }
            begin(flags)
            isRestDropped = isDropping && flags & 4 == 0
            if !isRestDropped { passed += input.prefix(head) }
            input = input.dropFirst(head)
            rest = length
            if flags & 4 == 0, flags & 1 == 0 { end() }
        }
        return ArraySlice(passed)
    }

    private mutating func begin(_ flags: UInt8) {
        guard flags & 4 == 0, !isInside else { return }
        isInside = true
        if toDrop > 0 {
            toDrop -= 1
            isDropping = true
            dropped += 1
        }
    }

    private mutating func end() {
        isInside = false
        isDropping = false
    }

    private static func frame(_ input: ArraySlice<UInt8>) -> (flags: UInt8, head: Int, length: Int)? {
        guard input.count >= 2 else { return nil }
        let flags = input[input.startIndex]
        guard flags & 2 != 0 else { return (flags, 2, Int(input[input.startIndex + 1])) }
        guard input.count >= 9 else { return nil }
        let length = input[(input.startIndex + 1)..<(input.startIndex + 9)].reduce(0) { $0 << 8 | Int($1) }
        return (flags, 9, length)
    }
}
