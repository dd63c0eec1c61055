// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// Reads the only field of a `ReplyHeader` that a generator needs: the number of the request that was answered.
struct AnswerHeader {
    /// The client's id (16 bytes).
    let client: [UInt8]

    /// Reads the number of the answered request; nil if the answer is not for this client.
    func sequence(_ header: UnsafeRawBufferPointer) -> UInt64? {
        var (isOurs, sequence): (Bool, UInt64) = (false, 0)
        var fields = WireFields(header)
        while let (field, value) = fields.next() {
            switch (ReplyHeaderField(rawValue: field), value) {
            case (.client, .bytes(let bytes)): isOurs = bytes.elementsEqual(client)
            case (.sequence, .number(let number)): sequence = number
            default: break
            }
        }
        return isOurs && fields.isWhole && sequence > 0 ? sequence : nil
    }
}
