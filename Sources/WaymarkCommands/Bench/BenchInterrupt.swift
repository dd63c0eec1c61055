// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import LoadTest
import ServiceHost
import ZeroMQ

/// Ends a load test before its time at the first SIGINT or SIGTERM: what was done is still reported.
final class BenchInterrupt: Sendable {
    let stop = LoadStop()
    private let signal = Locked<Int32>(0)

    /// - Parameter ownsProcess: signals are the command's to decide on.
    init(ownsProcess: Bool) {
        guard ownsProcess else { return }
        Signals.endTheProcess()
        // A closed pipe is seen where it is written to: services that were started have to be stopped first.
        Glibc.signal(SIGPIPE, SIG_IGN)
        // Each connection takes one or two.
        OpenFiles.raiseLimit()
        Signals.atFirst { [stop, signal] number in
            signal.withLock { $0 = number }
            stop.ask()
        }
    }

    /// Nil: nobody interrupted. As a shell would tell it: 130 or 143.
    var exitCode: ExitCode? {
        let number = signal.withLock { $0 }
        return number > 0 ? ExitCode(128 + number) : nil
    }
}
