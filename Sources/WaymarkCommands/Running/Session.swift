// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Landmarks
import WaymarkClient
import WaymarkProtocol

/// One call of a command that asks a service: the connection, and where results go.
struct Session: Sendable {
    let client: WaymarkClient
    let output: Output
    let endpoint: String
    let timeout: Duration
    /// Empty when nobody said.
    let user: String

    /// For ``WaymarkClient/near(_:limit:radius:minDistance:filter:after:atLeast:)`` and the like: `rev` in the history
    /// that the service has now.
    func position(atLeast rev: UInt64?) async throws(ClientError) -> Position? {
        guard let rev else { return nil }
        return Position(epoch: try await client.hello().position.epoch, rev: rev)
    }

    /// Says so when an answer may be old.
    func tell(_ standing: Standing) {
        guard standing.isStorageAway else { return }
        output.notice(
            "storage_away",
            "Storage is away: this is from the replica, last heard of storage \(Figures.duration(UInt64(standing.age))) ago."
        ) { $0.field("age_ms", UInt64(standing.age)) }
    }
}

/// A command that asks a service.
protocol ServiceCommand: AsyncParsableCommand {
    associatedtype Connection: ServiceOptions
    associatedtype Printing: PrintingOptions

    var connection: Connection { get }
    var printing: Printing { get }
    /// Writes are refused here when nobody said who writes.
    static var needsUser: Bool { get }

    func run(in session: Session) async throws
}

extension ServiceCommand {
    static var needsUser: Bool { false }

    func run() async throws {
        let surroundings = Surroundings.current
        if surroundings.ownsProcess { Signals.endTheProcess() }
        let user = try connection.target.user(surroundings, isNeeded: Self.needsUser)
        let endpoint = try connection.target.endpoint(surroundings)
        let timeout = connection.requestTimeout ?? .milliseconds(WaymarkProtocol.defaultTimeoutMilliseconds)
        // A service never lets a request wait longer than that.
        let longest = Duration.milliseconds(WaymarkProtocol.timeoutMilliseconds)
        var options = WaymarkClient.Options(
            endpoint: endpoint, user: user, timeout: min(timeout, longest), agent: "waymark \(Product.version)")
        options.whenRefused = connection.whenRefused
        let client = try await WaymarkClient(options)
        let session = Session(
            client: client, output: surroundings.output(printing.format, printing.color), endpoint: endpoint,
            timeout: timeout, user: user)
        do {
            try await run(in: session)
        } catch {
            await client.close()
            throw error
        }
        await client.close()
    }
}

extension TargetOptions {
    func endpoint(_ surroundings: Surroundings) throws -> String {
        if let connect { return connect }
        guard let text = surroundings.variable("WAYMARK_CONNECT") else { return WaymarkProtocol.defaultQueryEndpoint }
        do {
            return try Values.endpoint(text)
        } catch {
            throw Failure.usage("WAYMARK_CONNECT cannot be used: \(error)")
        }
    }

    /// - Parameter isNeeded: without a name the command is refused, and says how to set one. Else the name is only told,
    ///   and a file of settings that cannot be read is no hindrance.
    func user(_ surroundings: Surroundings, isNeeded: Bool) throws -> String {
        let named = user ?? surroundings.variable("WAYMARK_USER")
        if let named { return try LandmarkRules.user(named) }
        let preferences = Preferences(environment: surroundings.environment)
        guard isNeeded else { return (try? preferences.user()) ?? "" }
        guard let user = try preferences.user() else {
            throw Failure(
                .usage, "no_user",
                "Nobody is named as the one who writes: set your name once with \"waymark user set NAME\", or give it "
                    + "with --as NAME.")
        }
        return user
    }
}
