// SPDX-License-Identifier: Apache-2.0

import Synchronization
import ZeroMQ

/// Writes that will begin the next batch, for an engine that can run their rules while it waits for the present one to be
/// durable. It need not: the next batch names them again.
final class OfferedWrites: Sendable {
    private let requests = Mutex<[WriteRequest]>([])
    private let wakeUp = WakeUp()

    /// Readable while there may be some. -1 where the process has no descriptor left: then the engine takes none.
    var descriptor: Int32 { wakeUp.descriptor }

    /// - Parameter more: in the order in which they will be in the batch, after those that were offered before.
    func offer(_ more: ArraySlice<WriteRequest>) {
        requests.withLock { $0.append(contentsOf: more) }
        wakeUp.call()
    }

    var isEmpty: Bool { requests.withLock(\.isEmpty) }

    /// Those that were offered and not taken.
    func take() -> [WriteRequest] {
        wakeUp.clear()
        return requests.withLock { requests in
            defer { requests = [] }
            return requests
        }
    }
}
