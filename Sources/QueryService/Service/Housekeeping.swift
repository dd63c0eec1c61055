// SPDX-License-Identifier: Apache-2.0

import ServiceHost
import ZeroMQ

/// What the service looks at once a second.
struct Housekeeping {
    var timer: LoopTimer?
    /// How often it has looked.
    var rounds: UInt64 = 0
    var openFiles = OpenFilesWatch()
    var spareMemory = SpareMemory()
    /// Whether it was told that storage does not accept this service's key, or has another one itself.
    var hasToldOfKeys = false
}
