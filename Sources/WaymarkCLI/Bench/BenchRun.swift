// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import LoadTest
import WaymarkProtocol

/// Runs the cases of a load test one after the other, and reports the results.
struct BenchRun {
    let cases: [BenchCase]
    let load: BenchShapeOptions
    let options: BenchReportOptions
    let stage: BenchStage
    /// The process ids of the services, if this command started them.
    var processes: [Int32] = []
    var report: LoadReport

    /// - Parameters:
    ///   - mode: the name of the test, such as `bus req` or `near`.
    ///   - crew: the workers; nil if this program sends all.
    ///   - versions: the tested programs and libraries with their versions.
    init(
        _ mode: String, _ cases: [BenchCase], _ load: BenchShapeOptions, _ options: BenchReportOptions,
        _ stage: BenchStage, _ crew: BenchCrew?, versions: [String: String]
    ) {
        self.cases = cases.map { BenchShare.current?.divided($0) ?? crew?.divided($0) ?? $0 }
        (self.load, self.options, self.stage) = (load, options, stage)
        report = LoadReport(
            mode: mode, at: Date(), command: CommandLine.arguments.dropFirst().joined(separator: " "),
            machine: .here(versions: versions.merging(["waymark": Product.version]) { $1 }), runs: [])
        report.parameters = crew.map { ["workers": "\($0.endpoints.count)"] } ?? [:]
        if load.ramp { report.knees = [:] }
    }

    mutating func go() async throws {
        try await stage.live.metrics.serve(at: options.metrics, stage.output)
        do {
            for one in cases {
                if load.ramp {
                    try await climb(one)
                } else {
                    for _ in 0..<load.repeats where !stage.stop.isAsked { try await measure(one) }
                }
            }
        } catch {
            stage.live.end()
            // The test was interrupted before any message arrived. That is no failure, and there is nothing to report.
            guard error as? BusStreamError == .ended, stage.exitCode != nil else { throw error }
        }
        // A worker has told its runs to the program that divides the load, which reports them.
        if BenchShare.current == nil { try finish() }
    }

    /// Measures a case, and then the same traffic over the bare bus (the messaging library without a service).
    private mutating func measure(_ one: BenchCase) async throws {
        let result = try await measure(one, one.label, processes, options.abortRule, one.run)
        let whole = LoadReport.Run(
            label: one.label, shape: one.shape, result: result, rowsPerOperation: one.rowsPerOperation)
        let runs = [whole] + result.parts.map { .init(partOf: one.label, shape: one.shape, result: $0) }
        report.runs += runs
        BenchShare.current?.tell(.done(runs))
        guard let bare = one.bare, !stage.stop.isAsked else { return }
        let other = try await measure(one, "\(one.label), \(bare.name)", [], nil) { try await bare.run($0, $1, result) }
        report.runs.append(.init(label: one.label, isBare: true, shape: one.shape, result: other))
    }

    private func measure(
        _ one: BenchCase, _ title: String, _ processes: [Int32], _ abort: AbortRule?, _ run: BenchCase.Run
    ) async throws -> LoadResult {
        let (meter, live) = (LoadMeter(services: processes), stage.live)
        live.begin(title, one.shape)
        var watch = LoadWatch(stop: stage.stop, tell: { live.tell($0, $1) }, countingBegins: { meter.begin() })
        watch.abort = abort
        var result = try await run(one.shape, watch)
        meter.end(&result.figures)
        live.end()
        return result
    }

    /// Searches for the highest rate at which all assertions hold.
    private mutating func climb(_ one: BenchCase) async throws {
        var ramp = Ramp(from: load.rate ?? BenchShapeOptions.firstRate)
        while let rate = ramp.next, !stage.stop.isAsked {
            var step = one
            step.shape.loop = .open(.rate(rate), arrival: load.arrival)
            step.label = "\(one.label) at \(LoadQuantity.text(rate, .perSecond))"
            // An earlier attempt at this rate has the same label, so judge only the runs of this attempt.
            let before = report.runs.count
            try await measure(step)
            if stage.stop.isAsked { break }
            ramp.tried(holds: BenchJudge.complaints(Array(report.runs[before...]), options.rampAssertions).isEmpty)
        }
        report.knees?[one.label] = ramp.best
    }

    private mutating func finish() throws {
        // A search for the highest rate overloads the service on purpose, so an overload needs no warning.
        if !load.ramp { report.warnings += BenchJudge.warnings(report.runs) }
        report.aborted = stage.stop.reason.map { "\(report.runs.last { $0.isWhole }?.label ?? report.mode): \($0)" }
        let output = stage.output
        let printer = BenchPrinter(output: output, bareName: cases.lazy.compactMap(\.bare?.name).first ?? "bare bus")
        try printer.print(report)
        for warning in report.warnings { output.notice("warning", "Warning: \(warning)") }
        let verdicts = self.verdicts
        try BenchFiles.write(report, verdicts, options, printer)
        if let exitCode = stage.exitCode {
            output.notice("ended", "Ended early: the figures cover the time until then.")
            throw exitCode
        }
        if let aborted = report.aborted { throw Failure("aborted", aborted) }
        let complaints = verdicts.compactMap(\.complaint)
        guard !complaints.isEmpty else { return }
        let isIdle = !load.ramp && report.runs.contains { $0.isWhole && $0.figures.done == 0 }
        throw Failure(isIdle ? "nothing_done" : "assertion", complaints.joined(separator: "\n"))
    }

    private var verdicts: [LoadVerdict] {
        guard stage.exitCode == nil, report.aborted == nil else {
            let complaint = report.aborted ?? "The test was ended early, so its assertions were not checked."
            return [LoadVerdict(report.mode, "runs to its end", complaint: complaint)]
        }
        guard let knees = report.knees else { return BenchJudge.verdicts(report.runs, options.assertions) }
        let goal = "a rate meets " + options.assertions.map(\.description).joined(separator: ",")
        return cases.map(\.label).map {
            LoadVerdict($0, goal, complaint: knees[$0] == nil ? "\($0): no rate meets the assertions." : nil)
        }
    }
}

/// One measurement of a load test, for example with one of several message sizes.
struct BenchCase: Sendable {
    typealias Run = @Sendable (LoadShape, LoadWatch) async throws -> LoadResult

    /// The same traffic without the tested service, to compare the results with, such as `bare bus`. The last argument
    /// is the result of the tested service, whose message sizes the bare run uses.
    struct Bare: Sendable {
        var name: String
        var run: @Sendable (LoadShape, LoadWatch, LoadResult) async throws -> LoadResult
    }

    var label: String
    var shape: LoadShape
    /// The number of rows in one operation; nil if an operation has no rows.
    var rowsPerOperation: Int?
    var run: Run
    var bare: Bare?
}
