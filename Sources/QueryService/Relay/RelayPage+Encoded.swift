// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import FoundationEssentials
import WaymarkProtocol
internal import WaymarkTransport

extension RelayLog.Page {
    /// The encoded `Reply`: the same as storage's.
    func encoded(head: UInt64, floor: UInt64) -> [UInt8] {
        WireReadyReply.with {
            $0.changes = .with {
                $0.changes = changes.map { Data($0) }
                $0.operations = operations.map { UInt32(WireChange.Operation($0).rawValue) }
                $0.through = through
                $0.head = head
                $0.floor = floor
                $0.run = run.wire
            }
        }.encoded
    }
}
