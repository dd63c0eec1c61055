// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import LoadTest
import WaymarkProtocol

/// Runs the cases of a load test one after the other, and reports them.
struct BenchRun {
    /// `bus req`, `near`, …
    let mode: String
    let cases: [BenchCase]
    let load: BenchShapeOptions
    let options: BenchReportOptions
    let output: Output
    let surroundings: Surroundings
    let interrupt: BenchInterrupt
    let live: BenchLive
    /// Of the services, where they are processes of this command.
    var processes: [Int32] = []
    /// What was measured and its version, for the report.
    var versions: [String: String] = [:]
    /// What cannot be known of this test, one sentence each.
    var remarks: [String] = []
    /// What was asked for, apart from the shape of the load.
    var parameters: [String: String] = [:]
    private var runs: [LoadReport.Run] = []
    private var knees: [String: Double] = [:]

    init(
        mode: String, cases: [BenchCase], load: BenchShapeOptions, options: BenchReportOptions, output: Output,
        surroundings: Surroundings, interrupt: BenchInterrupt, live: BenchLive
    ) {
        (self.mode, self.cases, self.load, self.options) = (mode, cases, load, options)
        (self.output, self.surroundings, self.interrupt, self.live) = (output, surroundings, interrupt, live)
    }

    mutating func go() async throws {
        let began = Date()
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
            // Interrupted before anything came through: there is nothing to report of it, and nothing went wrong.
            guard error as? BusStreamError == .ended, interrupt.exitCode != nil else { throw error }
        }
        try finish(began)
    }

    /// Once, and the same over the bare bus.
    private mutating func measure(_ one: BenchCase) async throws {
        let result = try await measure(one, one.label, processes, one.run)
        runs.append(
            .init(label: one.label, shape: one.shape, result: result, rowsPerOperation: one.rowsPerOperation))
        runs += result.parts.map { .init($0, of: one.label, shape: one.shape) }
        guard let bare = one.bare, !interrupt.stop.isAsked else { return }
        let other = try await measure(one, "\(one.label), \(bare.name)", []) { try await bare.run($0, $1, result) }
        runs.append(.init(label: one.label, isBare: true, shape: one.shape, result: other))
    }

    private func measure(
        _ one: BenchCase, _ title: String, _ processes: [Int32], _ run: BenchCase.Run
    ) async throws -> LoadResult {
        let meter = LoadMeter(services: processes)
        live.begin(title, one.shape.end)
        let watch = LoadWatch(
            stop: interrupt.stop, tell: { [live] in live.tell($0, $1) }, countingBegins: { meter.begin() })
        var result = try await run(one.shape, watch)
        meter.end(&result.figures)
        live.end()
        return result
    }

    /// Looks for the highest rate at which what is asserted holds.
    private mutating func climb(_ one: BenchCase) async throws {
        var ramp = Ramp(from: load.rate ?? BenchShapeOptions.firstRate)
        while let rate = ramp.next, !interrupt.stop.isAsked {
            var step = one
            step.shape.loop = .open(rate: rate, arrival: load.arrival)
            step.label = "\(one.label) at \(LoadQuantity.text(rate, .perSecond))"
            // The try before, at the same rate, has the same label.
            let before = runs.count
            try await measure(step)
            if interrupt.stop.isAsked { break }
            ramp.tried(holds: BenchJudge.complaints(Array(runs[before...]), options.rampAssertions).isEmpty)
        }
        knees[one.label] = ramp.best
    }

    /// Reports, writes the files, and judges.
    private func finish(_ began: Date) throws {
        var versions = versions
        versions["waymark"] = Product.version
        // On the way to its limit a service is driven beyond it.
        let warnings = remarks + (load.ramp ? [] : BenchWarnings.of(runs))
        var report = LoadReport(
            mode: mode, at: began, command: CommandLine.arguments.dropFirst().joined(separator: " "),
            machine: .here(versions: versions), runs: runs, warnings: warnings)
        report.parameters = parameters
        if load.ramp { report.knees = knees }
        let bareName = cases.lazy.compactMap(\.bare?.name).first ?? "bare bus"
        try BenchPrinter(output, bareName: bareName).print(report)
        for warning in warnings { output.notice("warning", "Warning: \(warning)") }
        try BenchFiles(options).write(report)
        if let exitCode = interrupt.exitCode {
            output.notice("ended", "Ended early: the figures are of what was done until then.")
            throw exitCode
        }
        let complaints =
            load.ramp
            ? cases.filter { knees[$0.label] == nil }.map { "\($0.label): there is no rate at which it holds." }
            : BenchJudge.complaints(runs, options.assertions)
        if !complaints.isEmpty { throw Failure(.failed, "assertion", complaints.joined(separator: "\n")) }
    }
}
