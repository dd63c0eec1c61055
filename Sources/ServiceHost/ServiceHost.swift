// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
import FoundationEssentials
public import Logging
import Monitoring
public import ServiceLifecycle
public import Settings
import WaymarkTransport
import WebServer
public import ZeroMQ

/// The common part of the main programs of both services: arguments, settings, log and signals.
public enum ServiceHost {
    /// The exit status for unusable arguments or settings. `waymark` has the same.
    static let usage: Int32 = 2

    /// Runs a service's command and ends the process: with status 0 if it was stopped, 1 if it could not run, 2 if
    /// arguments or settings are unusable.
    ///
    /// - Parameter others: the other commands, by the first argument. Only the first argument can name a command,
    ///   because the service itself takes any `--KEY VALUE`.
    public static func main<Command: AsyncParsableCommand>(
        _ type: Command.Type, others: [String: any AsyncParsableCommand.Type]
    ) async -> Never {
        if let problem = ProgramArguments.problem() {
            tell("Error: \(problem)")
            type.exit(withError: ExitCode(usage))
        }
        let arguments = Array(CommandLine.arguments.dropFirst())
        if let other = arguments.first.flatMap({ others[$0] }) { await run(other, Array(arguments.dropFirst())) }
        await run(type, arguments)
    }

    private static func run<Command: AsyncParsableCommand>(_ type: Command.Type, _ arguments: [String]) async -> Never {
        do {
            var command = try type.parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            type.exit()
        } catch {
            // The argument parser itself would exit with status 64, from sysexits.h.
            guard type.exitCode(for: error) == .validationFailure else { type.exit(withError: error) }
            tell(type.fullMessage(for: error))
            type.exit(withError: ExitCode(usage))
        }
    }

    /// Reads the settings and runs a server until SIGTERM or SIGINT. SIGHUP and a changed file reload the settings.
    ///
    /// - Parameters:
    ///   - file: the path of a YAML file; nil for the service's standard file, if that exists.
    ///   - arguments: the arguments that set settings.
    ///   - make: makes the server from the settings and the environment.
    ///   - beside: makes the components that run beside the server.
    public static func run<Server: MonitoredServer>(
        _ schema: SettingsSchema, file: String?, arguments: [String],
        make: (Settings, [String: String], Context, Logger) throws -> Server,
        beside: (Settings, Server, Startup, Context, Logger) throws -> [any Service] = { _, _, _, _, _ in [] }
    ) async throws {
        let log = HostLog(service: "waymark-\(schema.service)")
        let logger = log.logger
        let signals = HostSignals { logger.error("\($0)") }
        let loader = SettingsLoader(schema: schema, named: file, arguments: arguments)
        let context = try Context(ioThreads: IOThreads.count)
        // Services start in this order and stop in reverse, so that the listener reports the drain until it is over.
        var services: [ServiceGroupConfiguration.ServiceConfiguration] = []
        do {
            let settings = try loader.load()
            log.lineFormat = LogFormat(setting: settings.string("log.format"))
            log.level = Logger.Level(rawValue: settings.string("log.level")) ?? .info
            signals.allowDrain(settings.duration("drain"))
            let server = try make(settings, ProcessInfo.processInfo.environment, context, logger)
            let startup = Startup()
            let neighbours = try beside(settings, server, startup, context, logger)
            let pages = MonitoringPages(
                server, service: schema.service, after: startup,
                beside: neighbours.compactMap { $0 as? any MetricsSource })
            if let address = settings.optionalString("http.listen").flatMap(ListenAddress.init) {
                // The listener refuses to run where other machines can connect, unless a setting allows it.
                let isInsecure = settings.bool("insecure") || settings.bool("http.insecure")
                let listener = MonitoringListener(
                    address, pages: pages, logger: logger,
                    rule: { try ListenRule.check("tcp://\($0)", insecure: isInsecure) })
                services.append(.init(service: listener, serviceName: "listener"))
            }
            let control = HostControl(
                signals: signals, reload: SettingsReload(loader, settings, server, log), logger: logger)
            services.append(.init(service: ServerRunner(server, startup), serviceName: "server"))
            for neighbour in neighbours { services.append(.init(service: neighbour, serviceName: "beside")) }
            services.append(
                .init(service: control, successTerminationBehavior: .gracefullyShutdownGroup, serviceName: "control"))
        } catch {
            complain(schema, error)
            throw ExitCode(usage)
        }
        let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: services, logger: logger))
        do {
            try await group.run()
        } catch {
            // In text format people read a sentence; in JSON format programs need a log line.
            switch log.lineFormat {
            case .text: complain(schema, error)
            case .json: logger.critical("cannot serve", metadata: ["error": "\(error)"])
            }
            throw ExitCode(1)
        }
        // This waits until all queued answers are sent.
        context.terminate()
        logger.info("stopped")
    }

    /// Returns the settings that a service on this machine was started with.
    ///
    /// - Parameters:
    ///   - file: as in ``run(_:file:arguments:make:beside:)``.
    ///   - arguments: the arguments that set settings.
    public static func settings(
        _ schema: SettingsSchema, file: String?, arguments: [String]
    ) throws(SettingsError) -> Settings {
        try SettingsLoader(schema: schema, named: file, arguments: arguments).load()
    }

    /// Writes to stderr why a service, or one of its commands, failed.
    public static func complain(_ schema: SettingsSchema, _ error: any Error) {
        tell("waymark-\(schema.service): \(LogText.visible("\(error)"))")
    }

    /// Writes a line to stderr.
    public static func tell(_ message: String) { HostLog.writeToStandardError(message + "\n") }
}
