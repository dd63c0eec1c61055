// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import ZeroMQ

/// The first SIGINT or SIGTERM ends the measurement and then all child processes. A second one, or ten seconds
/// without a reaction to the first, end everything at once.
// Sendable unchecked: the sources are created once and never accessed again.
final class Interruption: @unchecked Sendable {
    private static let patience = 10
    private let number = Locked<Int32>(0)
    private let sources: [any DispatchSourceSignal]

    init(_ children: Children) {
        let queue = DispatchQueue(label: "waymark-measure.signals")
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            return DispatchSource.makeSignalSource(signal: number, queue: queue)
        }
        for (source, signal) in zip(sources, [SIGINT, SIGTERM]) {
            source.setEventHandler { [number] in
                let isFirst = number.withLock { number in
                    defer { number = signal }
                    return number == 0
                }
                @Sendable func endNow() {
                    children.slay()
                    _exit(128 + signal)
                }
                guard isFirst else { return endNow() }
                children.stop.ask()
                queue.asyncAfter(deadline: .now() + .seconds(Self.patience)) { endNow() }
            }
            source.resume()
        }
    }

    /// The exit code in the form of a shell; nil if there was no interruption.
    var exitCode: Int32? {
        let number = number.withLock { $0 }
        return number > 0 ? 128 + number : nil
    }
}
