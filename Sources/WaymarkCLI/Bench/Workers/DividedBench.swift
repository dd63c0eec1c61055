// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Settings

/// A load test that can be divided among workers.
protocol DividedBench: AsyncParsableCommand {
    var load: BenchShapeOptions { get }
    var workers: WorkerOptions { get }
    /// The endpoints that the command line names.
    var targets: [String] { get }
    /// The reason why this test cannot be divided; nil if it can.
    var obstacle: String? { get }
    /// Whether the connections of a closed loop are divided, so that each worker needs one.
    var dividesClients: Bool { get }
}

extension DividedBench where Self: ServiceBench {
    var targets: [String] { target.service.connect.map { EndpointText.list($0) } ?? [] }
    var obstacle: String? { target.embedded ? "--embedded has no way for workers: leave it out." : nil }
    var dividesClients: Bool { true }
}

extension NearBench: DividedBench {}
extension SearchBench: DividedBench {}

extension BusBench: DividedBench {
    var targets: [String] { [endpoint, receive].compactMap { $0 } }
    var dividesClients: Bool { pattern.isAnswered }

    var obstacle: String? {
        if endpoint == nil { return "Workers need an endpoint to send to: name it." }
        return pattern == .push && receive != nil
            ? "push with --receive cannot be divided: messages of one worker would arrive at another, whose clock is "
                + "another. Leave --receive or --workers out." : nil
    }
}
