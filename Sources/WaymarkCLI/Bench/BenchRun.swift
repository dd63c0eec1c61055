// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FoundationEssentials
import LoadTest
import WaymarkProtocol

/// Runs the cases of a load test one after the other, and reports the results.
struct BenchRun {
    /// The name of the test, such as `bus req` or `near`.
    let mode: String
    let cases: [BenchCase]
    let load: BenchShapeOptions
    let options: BenchReportOptions
    let output: Output
    let stage: BenchStage
    /// The process ids of the services, if this command started them.
    var processes: [Int32] = []
    /// The tested programs and libraries with their versions, for the report.
    var versions: [String: String] = [:]
    /// Reasons to doubt this test's figures, one sentence each.
    var remarks: [String] = []
    /// The parameters of the test other than the load shape.
    var parameters: [String: String] = [:]
    /// The command that removes what the test writes; nil if the test leaves nothing behind.
    var removal: String?
    private(set) var runs: [LoadReport.Run] = []
    private(set) var knees: [String: Double] = [:]

    private var interrupt: BenchInterrupt { stage.interrupt }
    private var live: BenchLive { stage.live }

    mutating func go() async throws {
        let began = Date()
        try await live.serve(at: options.metrics, output)
        do {
            for one in cases {
                if load.ramp {
                    try await climb(one)
                } else {
                    for _ in 0..<load.repeats where !interrupt.stop.isAsked { try await measure(one) }
                }
            }
        } catch {
            live.end()
            // The test was interrupted before any message arrived. That is no failure, and there is nothing to report.
            guard error as? BusStreamError == .ended, interrupt.exitCode != nil else { throw error }
        }
        // A worker has told its figures to the program that divides the load, which reports them.
        if BenchShare.current == nil { try finish(began) }
    }

    /// Measures a case, and then the same traffic over the bare bus (the messaging library without a service).
    private mutating func measure(_ one: BenchCase) async throws {
        let result = try await measure(one, one.label, processes, options.abortRule, one.run)
        runs.append(
            .init(label: one.label, shape: one.shape, result: result, rowsPerOperation: one.rowsPerOperation))
        runs += result.parts.map { .init($0, of: one.label, shape: one.shape) }
        guard let bare = one.bare, !interrupt.stop.isAsked else { return }
        let other = try await measure(one, "\(one.label), \(bare.name)", [], nil) {
            try await bare.run($0, $1, result)
        }
        runs.append(.init(label: one.label, isBare: true, shape: one.shape, result: other))
    }

    private func measure(
        _ one: BenchCase, _ title: String, _ processes: [Int32], _ abort: AbortRule?, _ run: BenchCase.Run
    ) async throws -> LoadResult {
        let meter = LoadMeter(services: processes)
        live.begin(title, one.shape)
        var watch = LoadWatch(
            stop: interrupt.stop, tell: { [live] in live.tell($0, $1) }, countingBegins: { meter.begin() })
        watch.abort = abort
        var result = try await run(one.shape, watch)
        meter.end(&result.figures)
        live.end()
        return result
    }

    /// Searches for the highest rate at which all assertions hold.
    private mutating func climb(_ one: BenchCase) async throws {
        var ramp = Ramp(from: load.rate ?? BenchShapeOptions.firstRate)
        while let rate = ramp.next, !interrupt.stop.isAsked {
            var step = one
            step.shape.loop = .open(.rate(rate), arrival: load.arrival)
            step.label = "\(one.label) at \(LoadQuantity.text(rate, .perSecond))"
            // An earlier attempt at this rate has the same label, so judge only the runs of this attempt.
            let before = runs.count
            try await measure(step)
            if interrupt.stop.isAsked { break }
            ramp.tried(holds: BenchJudge.complaints(Array(runs[before...]), options.rampAssertions).isEmpty)
        }
        knees[one.label] = ramp.best
    }

    /// Prints the report, writes the files, and checks the assertions.
    private func finish(_ began: Date) throws {
        var versions = versions
        versions["waymark"] = Product.version
        // A search for the highest rate overloads the service on purpose, so an overload needs no warning.
        let warnings = remarks + (load.ramp ? [] : BenchWarnings.of(runs))
        var report = LoadReport(
            mode: mode, at: began, command: CommandLine.arguments.dropFirst().joined(separator: " "),
            machine: .here(versions: versions), runs: runs, warnings: warnings)
        report.parameters = parameters
        report.removal = removal
        if load.ramp { report.knees = knees }
        report.aborted = interrupt.stop.reason.map { "\(runs.last { $0.isWhole }?.label ?? mode): \($0)" }
        let bareName = cases.lazy.compactMap(\.bare?.name).first ?? "bare bus"
        let printer = BenchPrinter(output: output, bareName: bareName)
        try printer.print(report)
        for warning in warnings { output.notice("warning", "Warning: \(warning)") }
        let verdicts =
            interrupt.exitCode == nil && report.aborted == nil
            ? BenchJudge.verdicts(report, options.assertions, cases.map(\.label)) : [.endedEarly(mode, report.aborted)]
        try BenchFiles(options: options, printer: printer).write(report, verdicts)
        if let exitCode = interrupt.exitCode {
            output.notice("ended", "Ended early: the figures cover the time until then.")
            throw exitCode
        }
        if let aborted = report.aborted { throw Failure(.failed, "aborted", aborted) }
        let complaints =
            load.ramp
            ? cases.filter { knees[$0.label] == nil }.map { "\($0.label): no rate meets the assertions." }
            : BenchJudge.complaints(runs, options.assertions)
        guard !complaints.isEmpty else { return }
        let isIdle = !load.ramp && runs.contains { $0.isWhole && $0.figures.done == 0 }
        throw Failure(.failed, isIdle ? "nothing_done" : "assertion", complaints.joined(separator: "\n"))
    }
}
