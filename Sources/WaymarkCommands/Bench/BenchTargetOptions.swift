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

    /// A service never lets a request wait longer than the protocol's own limit.
    var requestTimeout: Duration {
        min(
            timeout ?? .milliseconds(WaymarkProtocol.defaultTimeoutMilliseconds),
            .milliseconds(WaymarkProtocol.timeoutMilliseconds))
    }
}
