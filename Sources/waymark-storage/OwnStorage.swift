// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServiceHost
import Settings
import StorageService
import WaymarkClient
import WaymarkProtocol
import WaymarkTransport

/// The settings of the service on this machine. Can ask the running service with its own keys: a user who may read its
/// key file may do everything.
struct OwnStorage: ParsableArguments {
    @Option(help: "The file that the service was started with.")
    var config: String?

    @Argument(parsing: .allUnrecognized, help: .hidden)
    var settings: [String] = []

    /// Asks the service. If it refuses, ends the command with the exit status 1 and one sentence.
    ///
    /// - Parameter names: the names of the arguments before the settings. The closure gets one argument for each name.
    func ask(
        _ names: String..., body: ([String], WaymarkClient, _ storage: CurveKey) async throws -> Void
    ) async throws {
        let words = Array(settings.prefix { !$0.hasPrefix("--") })
        guard words.count == names.count else {
            throw ValidationError("Give \(names.joined(separator: " and ")), then the settings of the service.")
        }
        do {
            let settings = try ServiceHost.settings(
                .storage, file: config, arguments: Array(settings.dropFirst(words.count)))
            guard let keys = try StorageOptions.ownKeys(settings) else {
                throw Unusable("Storage has no accounts: set accounts: required, and start it again.")
            }
            guard let endpoint = Endpoint.onThisMachine(settings.string("listen")) else {
                throw Unusable("The port of listen is a new one at each start: set a fixed port.")
            }
            var options = ClientOptions(
                endpoint: endpoint, agent: "waymark-storage admin \(Product.version)",
                keys: ClientKeys(own: keys, server: keys.publicKey, ofStorage: true))
            options.whenRefused = .giveUp
            try await options.withClient { try await body(words, $0, keys.publicKey) }
        } catch let error as ValidationError {
            throw error
        } catch {
            ServiceHost.complain(.storage, Self.explained(error))
            throw ExitCode(1)
        }
    }

    /// Replaces errors of the client whose sentences name options that this command does not have.
    private static func explained(_ error: any Error) -> any Error {
        switch error as? ClientError {
        case .cannotConnect(let endpoint, let reason)?:
            return Unusable(
                "Nobody answers at \(endpoint)\(reason.map { " (\($0))" } ?? ""): start storage, or give the settings that "
                    + "it was started with.")
        case .keyRefused(let endpoint, _)?, .otherServer(let endpoint, _)?:
            return Unusable(
                "The service at \(endpoint) is not the storage of these settings: give those that it was started with."
            )
        default: return error
        }
    }
}
