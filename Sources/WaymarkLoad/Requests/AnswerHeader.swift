// SPDX-License-Identifier: Apache-2.0

import Landmarks
import WaymarkProtocol

/// Reads the only field of a `ReplyHeader` that a generator needs: the number of the request that was answered.
struct AnswerHeader {
    let client: UUIDv7

    /// Reads the number of the answered request; nil if the answer is not for this client.
    func sequence(_ header: UnsafeRawBufferPointer) -> UInt64? {
        var (isOurs, sequence): (Bool, UInt64) = (false, 0)
        var fields = WireFields(header)
        while let (field, value) = fields.next() {
            switch (ReplyHeaderField(rawValue: field), value) {
            case (.client, .bytes(let bytes)): isOurs = UUIDv7(bytes: bytes) == client
            case (.sequence, .number(let number)): sequence = number
            default: break
            }
            // Services write both first, so the rest of the header is hardly ever read.
            if isOurs, sequence > 0 { return sequence }
        }
        return nil
    }
}
