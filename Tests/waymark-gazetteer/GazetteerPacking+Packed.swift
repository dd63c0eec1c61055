// SPDX-License-Identifier: Apache-2.0

import CZlib
import Gazetteer

extension GazetteerPacking {
    static func packed(_ bytes: [UInt8]) throws(Complaint) -> [UInt8] {
        guard bytes.count <= mostBytes else { throw Complaint.tooMany("names") }
        var size = compressBound(UInt(bytes.count))
        var body = [UInt8](repeating: 0, count: Int(size))
        guard compress2(&body, &size, bytes, UInt(bytes.count), Z_BEST_COMPRESSION) == Z_OK else {
            throw Complaint.tooMany("names for this machine's memory")
        }
        let length = (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) }
        return mark + length + body[..<Int(size)]
    }
}
