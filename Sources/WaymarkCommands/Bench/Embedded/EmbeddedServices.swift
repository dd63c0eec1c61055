// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import LoadTest
import WaymarkClient
import WaymarkLoad
import WaymarkProtocol
import ZeroMQ

/// Both services as processes of this command, in a temporary directory, with generated landmarks.
final class EmbeddedServices: Sendable {
    private static let patience = Duration.seconds(30)
    private static let rows = 1_000

    /// Of the query service.
    let endpoint: String
    let directory: String
    private let storage: ServiceProcess
    private let query: ServiceProcess

    var processes: [Int32] { [storage.pid, query.pid] }

    /// - Parameter made: called with the directory once there is one.
    /// - Returns: when both are ready, with nothing in them.
    static func start(_ made: @Sendable (String) -> Void) async throws -> EmbeddedServices {
        let programs = try ["waymark-storage", "waymark-query"].map { name throws(Failure) in try program(name) }
        let temporary = ProcessInfo.processInfo.environment["TMPDIR"]?.nilIfEmpty ?? "/tmp"
        var template = Array("\(temporary)/waymark-bench-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw Failure(.failed, "embedded", "No directory can be made in \(temporary): set TMPDIR to one of yours.")
        }
        let directory = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        made(directory)
        do {
            return try await EmbeddedServices(storage: programs[0], query: programs[1], directory)
        } catch {
            try? FileManager.default.removeItem(atPath: directory)
            throw error
        }
    }

    private init(storage: String, query: String, _ directory: String) async throws {
        self.directory = directory
        func service(_ program: String, _ name: String, _ settings: [(String, String)]) throws -> ServiceProcess {
            let file = "\(directory)/\(name).yaml"
            let text = settings.map { "\($0): \"\($1)\"\n" }.joined() + "log:\n  format: json\n"
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
            return try ServiceProcess(program, ["--config", file], log: "\(directory)/\(name).log")
        }
        // Over TCP, as the bare bus is that they are compared with.
        let loopback = "tcp://127.0.0.1:*"
        let storage = try service(
            storage, "storage", [("data", "\(directory)/data"), ("listen", loopback), ("changes", loopback)])
        self.storage = storage
        var started: ServiceProcess?
        do {
            let ready = try await storage.line(within: Self.patience) { $0["message"] as? String == "storage ready" }
            let query = try service(query, "query", [("listen", loopback), ("storage", ready["listen"] ?? "")])
            started = query
            let listening = try await query.line(within: Self.patience) {
                $0["message"] as? String == "query listening"
            }
            _ = try await query.line(within: Self.patience) { $0["message"] as? String == "query ready" }
            (self.query, endpoint) = (query, listening["listen"] ?? "")
        } catch {
            await started?.stop()
            await storage.stop()
            throw error
        }
    }

    /// Puts generated landmarks into them, and returns when the query service has them all.
    ///
    /// - Parameter tell: how many there are so far.
    func fill(_ count: Int, seed: UInt64, stop: LoadStop, tell: @escaping @Sendable (Int) -> Void) async throws {
        guard count > 0 else { return }
        let rows = min(Self.rows, count)
        let requests = (count + rows - 1) / rows
        let test = ServiceTest(endpoint: endpoint, user: "bench", timeout: 60_000_000_000) {
            [
                WeightedOperation(
                    IngestOperation(source: "generated", rows: rows, around: nil, seed: seed, run: "", of: count))
            ]
        }
        let done = Locked(0)
        let result = try await test.run(
            LoadShape(loop: .closed(window: 4), end: .count(requests), warmUp: 0, seed: seed),
            LoadWatch(
                stop: stop,
                tell: { _, second in
                    tell(
                        done.withLock { done in
                            done += Int(second.done) * rows
                            return done
                        })
                }))
        guard result.figures.failures == 0 else {
            throw Failure(
                .failed, "embedded",
                "The landmarks could not be generated: \(result.figures.errors.keys.sorted().joined(separator: ", ")).")
        }
        if !stop.isAsked { try await catchUp(stop) }
    }

    private func catchUp(_ stop: LoadStop) async throws {
        let client = try await WaymarkClient(.init(endpoint: endpoint, user: "bench"))
        do {
            // However long it takes: figures of a part of the landmarks would be none.
            var progress = FillProgress(patience: Self.patience)
            while !stop.isAsked {
                let status = try await client.status()
                if status.query.ready, status.query.rev >= status.storage.head,
                    status.storage.searchRev >= status.storage.head
                {
                    break
                }
                guard progress.goesOn([status.query.rev, status.storage.searchRev]) else {
                    throw Failure(
                        .failed, "embedded",
                        "The services do not take in the landmarks: for \(Self.patience) the query service stands at "
                            + "revision \(status.query.rev) and the search at \(status.storage.searchRev) of "
                            + "\(status.storage.head). See that the machine has memory and disk for so many.")
                }
                try await Task.sleep(for: .milliseconds(50))
            }
        } catch {
            await client.close()
            throw error
        }
        await client.close()
    }

    /// Ends both and removes what they wrote.
    func stop() async {
        await query.stop()
        await storage.stop()
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// Beside this program, or where the shell looks.
    private static func program(_ name: String) throws(Failure) -> String {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders = [(own as NSString).deletingLastPathComponent] + path.split(separator: ":").map(String.init)
        guard
            let program = folders.map({ "\($0)/\(name)" }).first(where: {
                FileManager.default.isExecutableFile(atPath: $0)
            })
        else {
            throw Failure(
                .failed, "embedded",
                "\(name) is neither beside this program nor in PATH: install it, or test a running service with "
                    + "--connect.")
        }
        return program
    }
}
