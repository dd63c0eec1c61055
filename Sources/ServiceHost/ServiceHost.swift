// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
public import Logging
import ServiceLifecycle
public import Settings
import UnixSignals
public import ZeroMQ

/// What the mains of both services share: settings, log, signals.
public enum ServiceHost {
    /// Resolves the settings and runs a server until SIGTERM or SIGINT.
    ///
    /// - Parameters:
    ///   - file: a YAML file; nil: the standard one of that service, if there is one.
    ///   - arguments: the flags that are settings.
    ///   - make: the server for these settings and this environment.
    public static func run(
        _ schema: SettingsSchema, file: String?, arguments: [String],
        make: (Settings, [String: String], Context, Logger) throws -> some HostedServer
    ) async throws {
        let environment = ProcessInfo.processInfo.environment
        let name = "waymark-\(schema.service)"
        var logger = Logger(label: name) { StreamLogHandler.standardError(label: $0) }
        let context = try Context()
        let runner: any Service
        do {
            let settings = try Settings.load(
                schema: schema, file: file ?? StandardLocations.configuration(schema.service), environment: environment,
                arguments: arguments)
            logger.logLevel = Logger.Level(rawValue: settings.string("log.level")) ?? .info
            runner = ServerRunner(try make(settings, environment, context, logger))
        } catch {
            throw ValidationError("\(error)")
        }
        let group = ServiceGroup(services: [runner], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        do {
            try await group.run()
        } catch {
            FileHandle.standardError.write(Data("\(name): \(error)\n".utf8))
            throw ExitCode(1)
        }
        context.terminate()
    }
}
