// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
import FoundationEssentials
public import Settings
import WaymarkTransport
import WebServer
public import ZeroMQ

/// The arguments and the action of `waymark-storage health` and `waymark-query health`. The commands exist for a
/// container's health check, because the image contains no other program that could ask the service.
public struct HealthArguments: ParsableArguments {
    /// The timeouts that are allowed, because the check runs repeatedly.
    private static let timeouts = Duration.milliseconds(10)...Duration.seconds(60)

    @Option(help: "The file that the service was started with.")
    public var config: String?

    @Flag(help: "Check only that the service answers, not that it is ready.")
    public var live = false

    @Option(help: ArgumentHelp("How long to wait for the answer.", valueName: "time"))
    public var timeout = "2s"

    @Argument(parsing: .allUnrecognized, help: .hidden)
    public var settings: [String] = []

    public init() {}

    /// Returns the part of the `--help` text that follows the options.
    public static func discussion(_ schema: SettingsSchema) -> String {
        """
        Reads the service's settings (file, environment, flags) to find its endpoint,
        and asks there. If the service is ready it prints "ready" and a line for each
        remark, and exits with 0. Otherwise it prints a line for each problem and exits
        with 1. With --live it prints "live" and exits with 0 if the service answers at
        all. It exits with 2 when the settings cannot be read.
        The command changes nothing.

          waymark-\(schema.service) health
          waymark-\(schema.service) health --live --timeout 500ms
        """
    }

    /// Asks the service and prints the result. Throws an `ExitCode` unless the service is healthy.
    ///
    /// - Parameters:
    ///   - tolerated: a problem with which a starting service still counts as healthy. A starting service has no socket
    ///     yet, so its HTTP listener is asked. It is also asked if the settings lack the right key.
    ///   - keys: reads the service's own keys from the settings; returns nil if these do not require accounts.
    public func check(
        _ schema: SettingsSchema, tolerating tolerated: String? = nil,
        keys: (Settings) throws -> CurveKeyPair? = { _ in nil }
    ) async throws {
        let endpoint: String
        let listener: ListenAddress?
        var security: SocketSecurity?
        let patience: Duration
        do {
            let settings = try SettingsLoader(schema: schema, named: config, arguments: settings).load()
            listener = settings.optionalString("http.listen").flatMap(ListenAddress.init)
            guard tolerated == nil || listener != nil else {
                throw ValidationError("There is no HTTP listener to ask: set http.listen.")
            }
            let listen = settings.string("listen")
            guard let reachable = Endpoint.onThisMachine(listen) else {
                throw ValidationError("The port of \(listen) is chosen at each start: set a fixed port in listen.")
            }
            endpoint = reachable
            guard let time = Duration(settingText: timeout), Self.timeouts.contains(time) else {
                throw ValidationError("--timeout: \"\(timeout.prefix(80))\" is not a time from 10ms to 1m, such as 2s.")
            }
            patience = time
            if let listener, let tolerated, ListenerQuestion.problems(at: listener, within: time) == [tolerated] {
                print("waiting")
                print(LogText.visible(tolerated))
                return
            }
            if schema.service == "storage" || !ListenRule.isPrivate(reachable), let own = try keys(settings) {
                security = .curveClient(serverKey: own.publicKey, keys: own)
            }
        } catch {
            ServiceHost.complain(schema, error)
            throw ExitCode(ServiceHost.usage)
        }
        var answer: HealthQuestion.Answer
        do {
            answer = try await HealthQuestion().ask(endpoint, security: security, timeout: patience)
        } catch {
            answer = .silent("\(error)")
        }
        // The HTTP listener needs no key, and reports the same problems.
        if case .locked = answer, let listener,
            let found = ListenerQuestion.problems(at: listener, within: patience)
        {
            answer = .report(HealthReport(problems: found))
        }
        let health = health(answer)
        let lines = health.isReady ? [live ? "live" : "ready"] + health.remarks : health.problems
        for line in lines { print(LogText.visible(line)) }
        if !health.isReady { throw ExitCode(1) }
    }

    /// Returns the part of an answer that counts: of a live service, nothing but that it answers.
    private func health(_ answer: HealthQuestion.Answer) -> HealthReport {
        switch answer {
        case .locked(let sentence), .silent(let sentence): HealthReport(problems: [sentence])
        case .report(let report): live ? HealthReport() : report
        }
    }
}
