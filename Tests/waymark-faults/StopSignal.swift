// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import ZeroMQ

/// Records SIGTERM and SIGINT, to be polled.
// Sendable unchecked: the sources are created once and never accessed again.
final class StopSignal: @unchecked Sendable {
    private let given = Locked(false)
    private let sources: [any DispatchSourceSignal]

    init() {
        sources = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            return DispatchSource.makeSignalSource(signal: number, queue: .global())
        }
        for source in sources {
            source.setEventHandler { [given] in given.withLock { $0 = true } }
            source.resume()
        }
    }

    var isGiven: Bool { given.withLock { $0 } }
}
