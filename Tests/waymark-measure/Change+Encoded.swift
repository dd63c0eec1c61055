// SPDX-License-Identifier: Apache-2.0

import Landmarks
import WaymarkProtocol

extension Change {
    /// As storage encodes it.
    var encoded: [UInt8] {
        EncodedChange(
            rev: rev, at: at, operation: operation, user: user, after: (FilterSubject(landmark), landmark.encoded),
            before: before.map { (FilterSubject($0), $0.encoded) }
        ).bytes
    }
}
