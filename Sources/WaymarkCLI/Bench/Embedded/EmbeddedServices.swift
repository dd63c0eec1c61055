// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Settings
import WaymarkLoad
import WebServer

/// Storage and the query service as child processes, with their files in a temporary directory.
final class EmbeddedServices: Sendable {
    static let patience = Duration.seconds(30)

    /// The endpoint of the query service.
    let endpoint: String
    /// The HTTP interface; nil if it was not started.
    let web: HTTPOrigin?
    let directory: String
    private let storage: ServiceProcess
    private let query: ServiceProcess

    var processes: [Int32] { [storage.pid, query.pid] }

    /// - Parameters:
    ///   - isOnWeb: whether to start the HTTP interface, too.
    ///   - made: called with the directory as soon as it exists.
    /// - Returns: the services, once both are ready. They hold no landmarks.
    static func start(
        isOnWeb: Bool = false, _ made: @Sendable (String) -> Void
    ) async throws -> EmbeddedServices {
        let programs = try ["waymark-storage", "waymark-query"].map { name throws(Failure) in try program(name) }
        let temporary = ProcessInfo.processInfo.environment["TMPDIR"]?.nilIfEmpty ?? "/tmp"
        guard let directory = UserFolder.temporary("\(temporary)/waymark-bench") else {
            throw Failure(.failed, "embedded", "No directory can be created in \(temporary): set TMPDIR to another.")
        }
        made(directory)
        do {
            return try await EmbeddedServices(
                storage: programs[0], query: programs[1], isOnWeb: isOnWeb, directory)
        } catch {
            try? FileManager.default.removeItem(atPath: directory)
            throw error
        }
    }

    private init(storage: String, query: String, isOnWeb: Bool, _ directory: String) async throws {
        self.directory = directory
        func service(
            _ program: String, _ name: String, _ settings: [(String, String)], _ flags: [String] = []
        ) throws -> ServiceProcess {
            let file = "\(directory)/\(name).yaml"
            let text = settings.map { "\($0): \"\($1)\"\n" }.joined() + "log:\n  format: json\n"
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
            return try ServiceProcess(program, ["--config", file] + flags, log: "\(directory)/\(name).log")
        }
        // The services use TCP, like the bare bus that they are compared with.
        let loopback = "tcp://127.0.0.1:*"
        let storage = try service(
            storage, "storage", [("data", "\(directory)/data"), ("listen", loopback), ("changes", loopback)])
        self.storage = storage
        var started: ServiceProcess?
        do {
            let ready = try await storage.line("storage ready", within: Self.patience)
            let query = try service(
                query, "query", [("listen", loopback), ("storage", ready["listen"]?.text ?? "")],
                isOnWeb ? ["--web-listen", "127.0.0.1:0"] : [])
            started = query
            let listening = try await query.line("query listening", within: Self.patience)
            _ = try await query.line("query ready", within: Self.patience)
            let map = isOnWeb ? try await query.line("web listening", within: Self.patience)["web"]?.text : nil
            web = map.flatMap { ListenAddress($0) }.map { HTTPOrigin(host: $0.host, port: $0.port) }
            (self.query, endpoint) = (query, listening["listen"]?.text ?? "")
        } catch {
            await started?.stop()
            await storage.stop()
            throw error
        }
    }

    /// Stops both services and removes their files.
    func stop() async {
        await query.stop()
        await storage.stop()
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// Returns the path of a program beside the running program, or in PATH.
    private static func program(_ name: String) throws(Failure) -> String {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders = [PathText.folder(of: own)] + path.split(separator: ":").map(String.init)
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
