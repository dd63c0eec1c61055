// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FoundationEssentials
import Glibc
import LoadTest
import ServiceHost
import ZeroMQ

/// The surroundings of a load test: its output, the display of its progress, and the signals that end it early. After
/// the first SIGINT, SIGTERM, SIGHUP (closed terminal) or SIGQUIT the test still reports its results so far, and stops
/// the services that it started.
final class BenchStage: Sendable {
    let surroundings: Surroundings
    let output: Output
    let live: BenchLive
    /// In a worker, the coordinator asks.
    let stop = BenchShare.current?.stop ?? LoadStop()
    private let signal = Locked<Int32>(0)
    private let directory = Locked<String?>(nil)

    private init(_ surroundings: Surroundings, _ printing: OutputOptions) {
        self.surroundings = surroundings
        output = surroundings.output(printing.format, printing.color)
        live = BenchLive(surroundings)
        guard surroundings.ownsProcess else { return }
        Signals.endTheProcess(others: [SIGHUP, SIGQUIT])
        // Writing to a closed pipe must not end the process, because the started services have to be stopped first.
        Glibc.signal(SIGPIPE, SIG_IGN)
        // Each connection takes one or two file descriptors.
        OpenFiles.raiseLimit()
        Signals.atFirst { [stop, signal] number in
            signal.withLock { $0 = number }
            stop.ask()
        } beforeSecondEnds: { [directory] in
            guard let path = directory.withLock({ $0 }) else { return }
            // A service that is being killed may still create a file while the folder is removed, so try again.
            for _ in 0..<20 where FileManager.default.fileExists(atPath: path) {
                try? FileManager.default.removeItem(atPath: path)
                usleep(10_000)
            }
        }
    }

    /// Calls `body`, and returns once the display has written everything.
    static func run(_ printing: OutputOptions, _ body: (BenchStage) async throws -> Void) async throws {
        let stage = BenchStage(.current, printing)
        do {
            try await body(stage)
        } catch {
            await stage.live.close()
            // An interruption may itself cause an error, for example in a stopped service. Such an error is no failure.
            throw stage.exitCode ?? error
        }
        await stage.live.close()
    }

    /// Registers a directory to remove if a second signal ends the process early.
    func removeAtEnd(_ path: String) { directory.withLock { $0 = path } }

    /// The exit code of an interrupted test, as in a shell: 130 after SIGINT, 143 after SIGTERM. Nil without a signal.
    var exitCode: ExitCode? {
        let number = signal.withLock { $0 }
        return number > 0 ? ExitCode(128 + number) : nil
    }
}
