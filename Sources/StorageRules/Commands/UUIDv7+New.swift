// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks

extension UUIDv7 {
    /// Makes a new id for an epoch, a run or a backup.
    package static func new() -> UUIDv7 {
        var ids = UUIDv7Generator()
        return ids.next(now: UInt64(max(0, Date().timeIntervalSince1970 * 1_000)))
    }
}
