// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WaymarkProtocol

/// Which service is tested, and as whom.
struct BenchTargetOptions: ParsableArguments {
    @OptionGroup var service: TargetOptions

    @Option(
        help: ArgumentHelp(
            "An operation without an answer by then has failed. Example: --timeout 500ms. (default: 5s)",
            valueName: "time"),
        transform: Values.duration)
    var timeout: Duration?

    @Flag(
        help: """
            Start both services in a temporary directory, test them, and stop them. Example: --embedded --landmarks 1M.
            """)
    var embedded = false

    @Option(
        help: ArgumentHelp(
            "With --embedded: generate so many landmarks, clustered as cities are and the same for the same --seed. "
                + "Example: --embedded --landmarks 1M. (default: 10k)", valueName: "count"),
        transform: Values.quantity)
    var landmarks: Int?

    @OptionGroup var given: BenchDataOptions

    static let defaultLandmarks = 10_000

    var parameters: [String: String] {
        guard embedded else { return [:] }
        if let data = given.data { return ["data": data] }
        return ["landmarks": "\(landmarks ?? Self.defaultLandmarks)"]
    }

    func validate() throws {
        if landmarks != nil, !embedded {
            throw ValidationError("--landmarks are generated for services of its own: give --embedded too.")
        }
        if given.data != nil, !embedded {
            throw ValidationError("--data is for services of its own: give --embedded too, or waymark ingest it.")
        }
        if given.data != nil, landmarks != nil {
            throw ValidationError("--landmarks are generated instead of --data: give one of them.")
        }
        if (landmarks ?? 0) > 100_000_000 { throw ValidationError("--landmarks goes up to 100M.") }
        if embedded, service.connect != nil {
            throw ValidationError("--embedded starts services of its own: leave --connect out.")
        }
    }

    /// A service never lets a request wait longer than the protocol's own limit.
    var requestTimeout: Duration {
        min(
            timeout ?? .milliseconds(WaymarkProtocol.defaultTimeoutMilliseconds),
            .milliseconds(WaymarkProtocol.timeoutMilliseconds))
    }
}
