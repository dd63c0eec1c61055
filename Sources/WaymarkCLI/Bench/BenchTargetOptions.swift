// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WaymarkProtocol

/// Options for the service to test, and the user.
struct BenchTargetOptions: ParsableArguments {
    @OptionGroup var service: TargetOptions

    @Option(.time, "How long to wait for an answer before it counts as failed. Example: --timeout 500ms. (default: 5s)")
    var timeout: Duration?

    @Flag(
        help: """
            Start both services in a temporary directory, test them, and stop them. Example: --embedded --landmarks 1M.
            """)
    var embedded = false

    @Option(
        .quantity,
        "With --embedded: how many landmarks to generate, clustered like cities, the same for the same --seed. "
            + "Example: --embedded --landmarks 1M. (default: 10k)")
    var landmarks: Int?

    @OptionGroup var given: BenchDataOptions

    static let defaultLandmarks = 10_000

    var parameters: [String: String] {
        guard embedded else { return [:] }
        if let data = given.data { return ["data": data] }
        return ["landmarks": "\(landmarks ?? Self.defaultLandmarks)"]
    }

    func validate() throws {
        try refuse(
            if: landmarks != nil && !embedded,
            "--landmarks needs services that this command starts: give --embedded too.")
        try refuse(
            if: given.data != nil && !embedded,
            "--data fills services that this command starts: add --embedded, or use ingest.")
        try refuse(
            if: given.data != nil && landmarks != nil,
            "--landmarks generates data instead of reading --data: give one of them.")
        try refuse(if: (landmarks ?? 0) > 100_000_000, "--landmarks is at most 100M.")
        try refuse(if: embedded && service.connect != nil, "--embedded starts its own services: leave --connect out.")
    }

    /// The time limit for one answer, at most the protocol's own, because services never keep a request longer.
    var requestTimeout: Duration {
        min(
            timeout ?? .milliseconds(WaymarkProtocol.defaultTimeoutMilliseconds),
            .milliseconds(WaymarkProtocol.timeoutMilliseconds))
    }
}
