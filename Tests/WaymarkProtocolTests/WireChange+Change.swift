// SPDX-License-Identifier: Apache-2.0

import Landmarks
import SwiftProtobuf
import WaymarkProtocol

extension WireChange {
    /// A change as storage encodes it, read by the generated code.
    init(_ change: Change) throws {
        let encoded = EncodedChange(
            rev: change.rev, at: change.at, operation: change.operation, user: change.user,
            after: (FilterSubject(change.landmark), change.landmark.encoded),
            before: change.before.map { (FilterSubject($0), $0.encoded) })
        try self.init(serializedBytes: encoded.bytes)
    }
}
