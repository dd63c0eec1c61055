// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LoadTest
import WaymarkClient
import WaymarkLoad
import WaymarkProtocol
import ZeroMQ

/// A load test of a service with requests.
protocol ServiceBench: AsyncParsableCommand {
    var target: BenchTargetOptions { get }
    var load: BenchShapeOptions { get }
    var report: BenchReportOptions { get }
    var printing: OutputOptions { get }

    /// `near`, `write`, …
    static var mode: String { get }
    /// How the case is called: what sets it apart from others of the mode.
    var label: String { get }
    /// Of an operation that carries several.
    var rowsPerOperation: Int? { get }
    /// Made anew for each run.
    func operations() throws -> @Sendable () -> [(operation: any LoadOperation, weight: Double)]
}

extension ServiceBench {
    var rowsPerOperation: Int? { nil }

    func run() async throws {
        let surroundings = Surroundings.current
        let interrupt = BenchInterrupt(ownsProcess: surroundings.ownsProcess)
        let live = BenchLive(surroundings)
        do {
            try await run(surroundings, interrupt, live)
        } catch {
            await live.close()
            throw error
        }
        await live.close()
    }

    private func run(_ surroundings: Surroundings, _ interrupt: BenchInterrupt, _ live: BenchLive) async throws {
        let service = try await BenchService(target, surroundings)
        let test = ServiceTest(
            endpoint: service.endpoint, user: service.user,
            timeout: UInt64(target.requestTimeout / .nanoseconds(1)), operations: try operations())
        let one = BenchCase(
            label: label, shape: load.shape(), rowsPerOperation: rowsPerOperation, run: test.run)
        var run = BenchRun(
            mode: Self.mode, cases: [one], repeats: load.repeats, options: report,
            output: surroundings.output(printing.format, printing.color), surroundings: surroundings,
            interrupt: interrupt, live: live)
        run.versions = service.versions
        try await run.go()
    }
}

/// The service that is tested. That it is there is seen before load is offered.
struct BenchService: Sendable {
    let endpoint: String
    let user: String
    let welcome: Welcome

    init(_ target: BenchTargetOptions, _ surroundings: Surroundings) async throws {
        endpoint = try target.service.endpoint(surroundings)
        let named = try target.service.user(surroundings, isNeeded: false)
        user = named.isEmpty ? "bench" : named
        let client = try await WaymarkClient(
            .init(
                endpoint: endpoint, user: user, timeout: target.requestTimeout,
                agent: "waymark bench \(Product.version)"))
        do {
            welcome = try await client.hello()
        } catch {
            await client.close()
            throw error
        }
        await client.close()
    }

    var versions: [String: String] {
        [welcome.service: welcome.version, "libzmq": Context.libraryVersion]
    }
}
