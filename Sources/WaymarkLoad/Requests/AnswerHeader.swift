// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// Reads the one field of a `ReplyHeader` that a generator needs: the number of the request that is answered.
struct AnswerHeader {
    private static let clientBytes = 16
    private let client: [UInt8]
    private let first: UInt64
    private let second: UInt64

    /// - Parameter client: the client's id, 16 bytes.
    init(client: [UInt8]) {
        self.client = client
        (first, second) = client.withUnsafeBytes {
            ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
    }

    /// The request's number; nil if the answer is not for this client.
    func sequence(_ header: UnsafeRawBufferPointer) -> UInt64? {
        // The usual order of fields: the client's bytes, then the number.
        guard header.count > 3 + Self.clientBytes, WireFields.opening(header) == ReplyHeaderField.client.rawValue,
            header[1] == UInt8(Self.clientBytes),
            header.loadUnaligned(fromByteOffset: 2, as: UInt64.self) == first,
            header.loadUnaligned(fromByteOffset: 10, as: UInt64.self) == second
        else { return walk(header) }
        var rest = WireFields(UnsafeRawBufferPointer(rebasing: header[(2 + Self.clientBytes)...]))
        guard case (ReplyHeaderField.sequence.rawValue, .number(let sequence))? = rest.next() else {
            return walk(header)
        }
        return sequence > 0 ? sequence : nil
    }

    /// Reads the fields in any order.
    private func walk(_ header: UnsafeRawBufferPointer) -> UInt64? {
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
