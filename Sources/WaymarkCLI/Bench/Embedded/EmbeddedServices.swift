// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Settings
import WaymarkLoad
import WebServer

/// Storage and the query service as child processes, with their files in a temporary directory.
struct EmbeddedServices: Sendable {
    static let patience = Duration.seconds(30)

    let directory: String
    /// The endpoint of the query service.
    private(set) var endpoint = ""
    /// The HTTP interface; nil if it was not started.
    private(set) var web: HTTPOrigin?
    private(set) var processes: [ServiceProcess] = []

    /// - Parameters:
    ///   - isOnWeb: whether to start the HTTP interface, too.
    ///   - made: called with the directory as soon as it exists.
    /// - Returns: the services, once both are ready. They hold no landmarks.
    static func start(isOnWeb: Bool, _ made: @Sendable (String) -> Void) async throws -> EmbeddedServices {
        let storage = try ServiceProcess.program("waymark-storage")
        let query = try ServiceProcess.program("waymark-query")
        let temporary = ProcessInfo.processInfo.environment["TMPDIR"]?.nilIfEmpty ?? "/tmp"
        guard let directory = UserFolder.temporary("\(temporary)/waymark-bench") else {
            throw Failure("embedded", "No directory can be created in \(temporary): set TMPDIR to another.")
        }
        made(directory)
        var services = EmbeddedServices(directory: directory)
        do {
            try await services.launch(storage, query, isOnWeb: isOnWeb)
            return services
        } catch {
            await services.stop()
            throw error
        }
    }

    private mutating func launch(_ storage: String, _ query: String, isOnWeb: Bool) async throws {
        // The services use TCP, like the bare bus that they are compared with.
        let loopback = "tcp://127.0.0.1:*"
        let settings = [("data", "\(directory)/data"), ("listen", loopback), ("changes", loopback)]
        let ready = try await launch(storage, settings).line("storage ready", within: Self.patience)
        let process = try launch(
            query, [("listen", loopback), ("storage", ready["listen"]?.text ?? "")],
            isOnWeb ? ["--web-listen", "127.0.0.1:0"] : [])
        endpoint = try await process.line("query listening", within: Self.patience)["listen"]?.text ?? ""
        _ = try await process.line("query ready", within: Self.patience)
        guard isOnWeb else { return }
        let address = try await process.line("web listening", within: Self.patience)["web"]?.text
        web = address.flatMap { ListenAddress($0) }.map { HTTPOrigin(host: $0.host, port: $0.port) }
    }

    private mutating func launch(
        _ program: String, _ settings: [(String, String)], _ flags: [String] = []
    ) throws -> ServiceProcess {
        let file = "\(directory)/\(PathText.name(of: program))"
        let text = settings.map { "\($0): \"\($1)\"\n" }.joined() + "log:\n  format: json\n"
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(file).yaml"))
        let process = try ServiceProcess(program, ["--config", "\(file).yaml"] + flags, log: "\(file).log")
        processes.append(process)
        return process
    }

    /// Stops both services and removes their files.
    func stop() async {
        for process in processes.reversed() { await process.stop() }
        try? FileManager.default.removeItem(atPath: directory)
    }
}
