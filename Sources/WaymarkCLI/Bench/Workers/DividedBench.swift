// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Settings

/// A load test that can be divided among workers.
protocol DividedBench: AsyncParsableCommand {
    var load: BenchShapeOptions { get }
    var report: BenchReportOptions { get }
    var workers: WorkerOptions { get }
    /// The endpoints that the command line names.
    var targets: [String] { get }
    /// The reason why this test cannot be divided; nil if it can.
    var obstacle: String? { get }
}

extension DividedBench {
    /// The reason why a closed loop of requests cannot be divided: each worker needs one of its connections.
    var lackOfClients: String? {
        load.isOpen || load.clients >= workers.endpoints.count
            ? nil : "Each worker needs a connection: give --clients \(workers.endpoints.count) or more."
    }
}

extension DividedBench where Self: ServiceBench {
    var targets: [String] { target.service.connect.map { EndpointText.list($0) } ?? [] }
    var obstacle: String? { target.embedded ? "Workers cannot reach --embedded: leave it out." : lackOfClients }
}

extension NearBench: DividedBench {}
extension SearchBench: DividedBench {}

extension BusBench: DividedBench {
    var targets: [String] { [endpoint, receive].compactMap { $0 } }
    var obstacle: String? {
        if endpoint == nil { return "Workers need an endpoint to send to: name it." }
        if pattern.isAnswered { return lackOfClients }
        return pattern == .push && receive != nil
            ? "push with --receive cannot be divided: messages of one worker would arrive at another, whose clock is "
                + "another. Leave --receive or --workers out." : nil
    }
}
