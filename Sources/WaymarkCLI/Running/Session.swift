// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Settings
import WaymarkClient
import WaymarkJSON
import WaymarkProtocol
import WaymarkTransport

/// One run of a command that asks a service: the connection and the output.
struct Session: Sendable {
    let client: WaymarkClient
    let output: Output
    let options: ClientOptions
    /// The time limit of one request.
    let timeout: Duration

    /// The user's name; empty if none was given.
    var user: String { options.user }
    /// The endpoints as text for people.
    var endpoint: String { options.endpoints.joined(separator: ",") }

    var preferences: Preferences { Preferences(environment: Surroundings.current.environment) }

    /// Keeps a result for the command `last`.
    func keep(_ hits: [Hit], isMeasured: Bool) {
        let surroundings = Surroundings.current
        KeptResult(
            at: WallClock.milliseconds, question: surroundings.arguments.joined(separator: " "), isMeasured: isMeasured,
            hits: hits
        ).write(surroundings.environment)
    }

    /// Prints how many landmarks were removed.
    ///
    /// - Parameters:
    ///   - kind: the word for what the landmarks belonged to, which is also the key in JSON.
    ///   - shown: the form of the name for people; nil if it is the name itself.
    func print(_ removed: RemovedSource, of kind: String, _ name: String, shown: String? = nil) throws(SinkError) {
        try output.result(
            "\(kind) \(shown ?? name): \(Figures.count(removed.removed)) removed, \(Figures.count(removed.kept)) kept"
        ) {
            $0.field(kind, name)
            $0.field("removed", removed.removed)
            $0.field("kept", removed.kept)
        }
    }

    /// Prints a notice if an answer may be outdated.
    func tell(_ freshness: Freshness) {
        guard freshness.isStorageAway else { return }
        output.notice(
            "storage_away",
            "Storage is down: this answer is from the replica, \(Figures.duration(UInt64(freshness.age))) old."
        ) { $0.field("age_ms", UInt64(freshness.age)) }
    }
}

/// A command that asks a service.
protocol ServiceCommand: AsyncParsableCommand {
    associatedtype Connection: ServiceOptions
    associatedtype Printing: PrintingOptions

    var connection: Connection { get }
    var printing: Printing { get }
    /// Whether the command fails if no user is named.
    static var needsUser: Bool { get }
    /// Whether the kept result of ``LastCommand`` can help if no service can be reached.
    static var offersLast: Bool { get }

    func run(in session: Session) async throws
}

extension ServiceCommand {
    static var needsUser: Bool { false }
    static var offersLast: Bool { false }

    /// Returns the error. If no service was reached and a result is kept, the error also mentions the command `last`.
    private func offeringLast(_ error: any Error, _ surroundings: Surroundings) -> any Error {
        guard var failure = Failure(error), failure.status == .cannotConnect,
            let kept = KeptResult.read(surroundings.environment)
        else { return error }
        failure.message += " \"waymark last\" prints what was found at \(Timestamp.local(kept.at))."
        return failure
    }

    func run() async throws {
        let surroundings = Surroundings.current
        if surroundings.ownsProcess { Signals.endTheProcess() }
        var options = try connection.client(surroundings, needsUser: Self.needsUser)
        options.feed = try connection.feed ?? surroundings.value("WAYMARK_FEED", Values.endpoint)
        let session = { [options] (client: WaymarkClient) in
            let output = surroundings.output(printing.format, printing.color)
            return Session(client: client, output: output, options: options, timeout: connection.answerTimeout)
        }
        do {
            // All requests have been answered then, and the end of a process closes sockets sooner than libzmq does.
            if surroundings.ownsProcess {
                let client = try await WaymarkClient(options, context: HeadStart.context.value)
                return try await run(in: session(client))
            }
            try await options.withClient { client in try await run(in: session(client)) }
        } catch {
            throw Self.offersLast ? offeringLast(error, surroundings) : error
        }
    }
}

/// A command that asks once, and prints the answer as text or JSON.
protocol AskingCommand: ServiceCommand where Connection == AskOptions, Printing == AskOptions {
    var asking: AskOptions { get }
}

extension AskingCommand {
    var printing: AskOptions { asking }
    var connection: AskOptions { asking }
}

/// A command that asks once for a change in the name of a user.
protocol WritingCommand: AskingCommand {}

extension WritingCommand {
    static var needsUser: Bool { true }
}

extension TargetOptions {
    func endpoints(_ surroundings: Surroundings) throws -> [String] {
        let text = try connect ?? surroundings.value("WAYMARK_CONNECT", Values.endpoints)
        return EndpointText.list(text ?? WaymarkProtocol.defaultQueryEndpoint)
    }

    /// Returns the only endpoint, for a command about one particular service; throws an error if there are several.
    func endpoint(_ surroundings: Surroundings) throws -> String {
        let all = try endpoints(surroundings)
        guard let endpoint = all.first, all.count == 1 else {
            throw Failure.usage(
                "This command asks one service, and \(all.count) endpoints are given: name one with --connect.")
        }
        return endpoint
    }

    /// - Parameter isNeeded: whether a missing name is an error; the error says how to set a name. If false, the name
    ///   is only informative, so a preferences file that cannot be read is ignored.
    func user(_ surroundings: Surroundings, isNeeded: Bool) throws -> String {
        let named = user ?? surroundings.variable("WAYMARK_USER")
        if let named { return try LandmarkRules.user(named) }
        let preferences = Preferences(environment: surroundings.environment)
        guard isNeeded else { return (try? preferences.value(.name)) ?? "" }
        return try preferences.value(.name).or(
            Failure(
                .usage, "no_user",
                "Changes need a user: set your name once with \"waymark user set NAME\", or give it with --as NAME."))
    }
}
