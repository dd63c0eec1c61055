// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
import Foundation
public import Settings
import WaymarkProtocol

/// What `waymark-storage health` and `waymark-query health` take, and what they do: for the health check of a container,
/// which has no other program to ask with.
public struct HealthArguments: ParsableArguments {
    /// Between these a time to wait makes sense for somebody who asks again and again.
    private static let timeouts = Duration.milliseconds(10)...Duration.seconds(60)

    @Option(help: "The file that the service was started with.")
    public var config: String?

    @Flag(help: "Ask only whether it answers, not whether it is ready.")
    public var live = false

    @Option(help: ArgumentHelp("How long to wait for the answer.", valueName: "time"))
    public var timeout = "2s"

    @Argument(parsing: .allUnrecognized, help: .hidden)
    public var settings: [String] = []

    public init() {}

    /// What `--help` tells beyond the options.
    public static func discussion(_ schema: SettingsSchema) -> String {
        """
        Reads the same settings as the service (file, environment, flags) for the
        endpoint that it listens on, and asks there. Prints "ready", then a line for
        what does not keep it from its work, and ends with 0; or prints a line for
        each problem and ends with 1. With --live it prints "live" and ends with 0
        if the service answers at all. Ends with 2 when the settings cannot be read.
        Changes nothing.

          waymark-\(schema.service) health
          waymark-\(schema.service) health --live --timeout 500ms
        """
    }

    /// Asks, prints, and ends with an ``ExitCode`` unless all is well.
    public func check(_ schema: SettingsSchema) async throws {
        let endpoint: String
        let patience: Duration
        do {
            let settings = try SettingsLoader(schema, file: config, arguments: settings).load()
            let listen = settings.string("listen")
            guard let reachable = ReachableEndpoint.of(listen) else {
                throw Unusable("The port of \(listen) is chosen at each start: give listen a port to be asked at.")
            }
            endpoint = reachable
            guard let time = Duration(settingText: timeout), Self.timeouts.contains(time) else {
                throw Unusable("--timeout: \"\(timeout.prefix(80))\" is not a time from 10ms to 1m, such as 2s.")
            }
            patience = time
        } catch {
            ServiceHost.tell("waymark-\(schema.service): \(LogText.visible("\(error)"))")
            throw ExitCode(ServiceHost.usage)
        }
        let answer: HealthQuestion.Answer
        do {
            answer = try await HealthQuestion().ask(endpoint, timeout: patience)
        } catch {
            answer = .silent("\(error)")
        }
        let problems = problems(answer)
        let lines = problems.isEmpty ? [live ? "live" : "ready"] + remarks(answer) : problems
        for line in lines { print(LogText.visible(line)) }
        if !problems.isEmpty { throw ExitCode(1) }
    }

    private func remarks(_ answer: HealthQuestion.Answer) -> [String] {
        if case .report(let report) = answer, !live { report.remarks } else { [] }
    }

    private func problems(_ answer: HealthQuestion.Answer) -> [String] {
        switch answer {
        case .silent(let sentence): [sentence]
        case .report(let report): live ? [] : report.problems
        case .refused(let error): live ? [] : [error.message]
        }
    }

    private struct Unusable: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }
}
