// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Geodesy
import LoadTest
import WaymarkLoad

protocol ServiceBench: AsyncParsableCommand {
    var measuring: MeasuringOptions { get }
    var target: BenchTargetOptions { get }

    /// The centre of the area that the test asks about and writes to; nil for the whole world, or without places.
    var around: Location? { get }
    func cases(_ service: BenchService) throws -> [BenchCase]
    /// The parameters of the test by their names in a report, nil for one that the person left out. Only tests with the
    /// same parameters can be compared.
    var parameters: [String: String?] { get }
    /// Returns reasons to doubt the figures, one sentence each.
    func remarks(_ service: BenchService) -> [String]
}

extension ServiceBench {
    var load: BenchShapeOptions { measuring.load }
    var report: BenchReportOptions { measuring.report }
    var printing: OutputOptions { measuring.printing }
    func validate() throws { try report.validate(load) }
    var around: Location? { nil }
    func remarks(_ service: BenchService) -> [String] { [] }
    var parameters: [String: String?] { [:] }

    func run() async throws {
        let writing = self as? any WritingBench
        // Ask before signals are caught, so that Ctrl-C ends the question.
        let mark = try writing?.consent(.current)
        try await BenchStage.run(printing) { stage in
            let around = try self.around?.coordinate(stage.output)
            let web = try (self as? any WebBench)?.web.origin()
            var service = try await BenchService.open(
                target, web: web, usesBus: web == nil || writing?.isWriting == true, seed: load.seed, stage)
            (service.around, service.mark) = (around, mark)
            let connect = target.service.connect == nil ? ["--connect", service.endpoint] : []
            try await BenchCrew.with(self, connect, stage) { try await measure(service, stage, $0) }
        }
    }

    private func measure(_ service: BenchService, _ stage: BenchStage, _ crew: BenchCrew?) async throws {
        var run = BenchRun(
            (self is any WebBench ? "http " : "") + (Self.configuration.commandName ?? ""),
            try cases(service), load, report, stage, crew, versions: service.versions)
        run.processes = service.processes
        run.report.warnings = remarks(service)
        run.report.removal = service.mark?.removal
        run.report.parameters?.merge(target.parameters.merging(parameters.compactMapValues { $0 }) { $1 }) { $1 }
        if let around = service.around { run.report.parameters?["around"] = "\(around.latitude),\(around.longitude)" }
        // Tell how to remove what was written after a failure, too: the test may have written by then.
        defer {
            if let removal = service.mark?.removal {
                stage.output.notice("written", "The landmarks of this run stay until \"\(removal)\" removes them.")
            }
        }
        try await run.go()
    }

    /// Makes a case of requests. With --raw its comparison run echoes messages of the same sizes over the bare bus.
    func requests(
        _ label: String, _ service: BenchService, _ operations: @escaping @Sendable () -> [WeightedOperation]
    ) -> BenchCase {
        var test = ServiceTest(
            endpoint: service.endpoint, user: service.user, timeout: service.timeout, operations: operations)
        test.security = service.keys?.security(service.endpoint)
        return BenchCase(
            label: label, shape: load.shape(), run: test.run,
            bare: report.raw ? .init(name: "bare bus") { try await BareAnswers.test(beside: $2).runBare($0, $1) } : nil)
    }
}

/// The traffic on the bare bus that a test of requests is compared with.
enum BareAnswers {
    /// Makes a test whose requests and answers have the sizes that were just measured.
    static func test(beside result: LoadResult) -> BusRequestTest {
        let answer = result.figures.done > 0 ? Int(result.figures.bytes / result.figures.done) : 0
        return BusRequestTest(size: max(result.requestBytes ?? 0, 16), answerBytes: max(answer, 16))
    }
}

extension String {
    /// The help of the option --around.
    static let around =
        "Ask or write around this position: \(Location.forms). Example: --around Sydney. (default: in cities all over "
        + "the world)"
}

/// A load test of one kind of request, which ``MixBench`` can mix with others.
protocol RequestBench: ServiceBench, Sendable {
    /// The options that an operation of a mix file may have.
    static var mixed: [String] { get }
    /// The label of the test's only case.
    var label: String { get }
    /// The operation and its options in a report of ``MixBench``, of the same text in all releases.
    var summary: String { get }
    var check: Bool { get }

    /// Makes a new operation for a run.
    ///
    /// - Parameter mark: the name of a ``BenchMark``; nil if the test leaves nothing behind.
    func operation(at place: Coordinate?, mark: String?, seed: UInt64, isChecked: Bool) -> any LoadOperation
}

extension RequestBench {
    var check: Bool { false }
    func cases(_ service: BenchService) throws -> [BenchCase] { [requests(service)] }

    func requests(_ service: BenchService) -> BenchCase {
        requests(label, service) { [self, place = service.around, mark = service.mark?.name] in
            [WeightedOperation(operation(at: place, mark: mark, seed: load.seed, isChecked: check))]
        }
    }
}
