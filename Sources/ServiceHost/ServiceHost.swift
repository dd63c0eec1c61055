// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
import Foundation
public import Logging
import Monitoring
import ServiceLifecycle
public import Settings
import UnixSignals
public import ZeroMQ

/// What the mains of both services share: arguments, settings, log, signals.
public enum ServiceHost {
    /// As `waymark` has it: arguments or settings that cannot be used.
    private static let usage: Int32 = 2

    /// Runs a service's command and ends the process: 0 when it was stopped, 1 when it could not run, 2 when it was
    /// told what it cannot use.
    public static func main<Command: AsyncParsableCommand>(_ type: Command.Type) async -> Never {
        do {
            var command = try type.parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            type.exit()
        } catch {
            // The argument parser would end with 64, the number of sysexits.h.
            guard type.exitCode(for: error) == .validationFailure else { type.exit(withError: error) }
            tell(type.fullMessage(for: error))
            type.exit(withError: ExitCode(usage))
        }
    }

    /// Resolves the settings and runs a server until SIGTERM or SIGINT.
    ///
    /// - Parameters:
    ///   - file: a YAML file; nil: the standard one of that service, if there is one.
    ///   - arguments: the flags that are settings.
    ///   - make: the server for these settings and this environment.
    public static func run(
        _ schema: SettingsSchema, file: String?, arguments: [String],
        make: (Settings, [String: String], Context, Logger) throws -> some MonitoredServer
    ) async throws {
        let environment = ProcessInfo.processInfo.environment
        let name = "waymark-\(schema.service)"
        var logger = Logger(label: name) { StreamLogHandler.standardError(label: $0) }
        let context = try Context()
        // In the order of starting. The last is stopped first: the listener tells of the drain until it is over.
        var services: [any Service] = []
        do {
            let settings = try Settings.load(
                schema: schema, file: file ?? StandardLocations.configuration(schema.service), environment: environment,
                arguments: arguments)
            logger.logLevel = Logger.Level(rawValue: settings.string("log.level")) ?? .info
            let server = try make(settings, environment, context, logger)
            let listener = MonitoringListener.configured(
                by: settings, service: schema.service, for: server, logger: logger)
            services = [listener, ServerRunner(server)].compactMap { $0 }
        } catch {
            tell("\(name): \(error)")
            throw ExitCode(usage)
        }
        let group = ServiceGroup(services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        do {
            try await group.run()
        } catch {
            tell("\(name): \(error)")
            throw ExitCode(1)
        }
        context.terminate()
    }

    private static func tell(_ message: String) {
        FileHandle.standardError.write(Data((message + "\n").utf8))
    }
}
