// SPDX-License-Identifier: Apache-2.0

import Logging
import Synchronization
import TestTurns
import Testing
import WaymarkProtocol
import ZeroMQ

@testable import StorageRules
@testable import StorageService

@Suite("The end of storage", .inTurn)
struct StorageEndTests {
    private final class Lines: Sendable { let list = Mutex<[String]>([]) }

    /// Keeps what is worth a warning.
    private struct Recorder: LogHandler {
        let lines: Lines
        var logLevel = Logger.Level.warning
        var metadata: Logger.Metadata = [:]

        init(_ lines: Lines) { self.lines = lines }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { lines.list.withLock { $0.append("\(event.message)") } }
    }

    @Test("work that comes too late for the engine is refused, and nothing in the log calls that a failure")
    func lateWork() async throws {
        let (context, lines) = (try Context(), Lines())
        let storage = try StorageServer(
            StorageOptions(directory: nil, listen: "tcp://127.0.0.1:*", changes: "tcp://127.0.0.1:*"),
            context: context, logger: Logger(label: "test") { _ in Recorder(lines) })
        _ = try await storage.start()
        #expect(await storage.worksAfterItsEnd() == .closed)
        #expect(lines.list.withLock(\.self) == [])
        context.terminate()
    }
}

extension StorageServer {
    /// Stops, with an upkeep and a commit that were on their way.
    ///
    /// - Returns: the commit's error.
    fileprivate func worksAfterItsEnd() async -> EngineError? {
        guard let parts = running else { return nil }
        await stop()
        parts.upkeep.begin()
        let request = WriteRequest(
            client: run, sequence: 1, digest: RequestDigest(high: 0, low: 0), caller: .machine, deed: nil, now: 1,
            command: .account(.rewriteOwners(limit: 1)))
        var failure: EngineError?
        do throws(EngineError) { _ = try await parts.commits.commit(request) } catch { failure = error }
        // The upkeep's task was queued before.
        await Task.yield()
        return failure
    }
}
