// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Glibc
import LoadTest
import ServiceHost
import ZeroMQ

/// Ends a load test before its time at the first SIGINT, SIGTERM, SIGHUP (the terminal is gone) or SIGQUIT: what was done
/// is still reported, and services that were started are stopped.
final class BenchInterrupt: Sendable {
    let stop = LoadStop()
    private let signal = Locked<Int32>(0)
    private let directory = Locked<String?>(nil)

    /// - Parameter ownsProcess: signals are the command's to decide on.
    init(ownsProcess: Bool) {
        guard ownsProcess else { return }
        Signals.endTheProcess(others: [SIGHUP, SIGQUIT])
        // A closed pipe is seen where it is written to: services that were started have to be stopped first.
        Glibc.signal(SIGPIPE, SIG_IGN)
        // Each connection takes one or two.
        OpenFiles.raiseLimit()
        Signals.atFirst { [stop, signal] number in
            signal.withLock { $0 = number }
            stop.ask()
        } beforeSecondEnds: { [directory] in
            guard let path = directory.withLock({ $0 }) else { return }
            // A service that is just being killed may still make a file where one was removed.
            for _ in 0..<20 where FileManager.default.fileExists(atPath: path) {
                try? FileManager.default.removeItem(atPath: path)
                usleep(10_000)
            }
        }
    }

    /// Removes this directory too, when a second signal ends the process before it is done.
    func removeAtEnd(_ path: String) { directory.withLock { $0 = path } }

    /// Nil: nobody interrupted. As a shell would tell it: 130 after SIGINT, 143 after SIGTERM.
    var exitCode: ExitCode? {
        let number = signal.withLock { $0 }
        return number > 0 ? ExitCode(128 + number) : nil
    }
}
