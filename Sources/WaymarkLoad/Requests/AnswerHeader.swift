// SPDX-License-Identifier: Apache-2.0

import Landmarks
import WaymarkProtocol

/// Reads the one field of a `ReplyHeader` that a generator needs: the number of the request that is answered.
struct AnswerHeader {
    let client: UUIDv7

    /// The request's number; nil if the answer is not for this client.
    func sequence(_ header: UnsafeRawBufferPointer) -> UInt64? {
        var (isOurs, sequence): (Bool, UInt64) = (false, 0)
        var fields = WireFields(header)
        while let (field, value) = fields.next() {
            switch (ReplyHeaderField(rawValue: field), value) {
            case (.client, .bytes(let bytes)): isOurs = UUIDv7(bytes: bytes) == client
            case (.sequence, .number(let number)): sequence = number
            default: break
            }
            // Both come first, so the rest is hardly ever read.
            if isOurs, sequence > 0 { return sequence }
        }
        return nil
    }
}
