// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import ZeroMQ

/// The first SIGINT or SIGTERM ends the measuring, and then everything that was started; a second one, or ten seconds
/// that the first was not heeded in, end that at once.
// Sendable unchecked: the sources are made once and never touched again.
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

    /// As a shell would tell it; nil: nobody interrupted.
    var exitCode: Int32? {
        let number = number.withLock { $0 }
        return number > 0 ? 128 + number : nil
    }
}
