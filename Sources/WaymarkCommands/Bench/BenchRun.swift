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
    let repeats: Int
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

    func go() async throws {
        let began = Date()
        var runs: [LoadReport.Run] = []
        do {
            for one in cases {
                for _ in 0..<repeats where !interrupt.stop.isAsked {
                    let result = try await measure(one, one.run)
                    runs.append(
                        .init(
                            label: one.label, shape: one.shape, result: result,
                            rowsPerOperation: one.rowsPerOperation))
                    guard let bare = one.bare, !interrupt.stop.isAsked else { continue }
                    let other = try await measure(one, bare, isBare: true)
                    runs.append(.init(label: one.label, isBare: true, shape: one.shape, result: other))
                }
            }
        } catch {
            live.end()
            throw error
        }
        try finish(runs, began)
    }

    func measure(_ one: BenchCase, _ run: BenchCase.Run, isBare: Bool = false) async throws -> LoadResult {
        let meter = LoadMeter(services: isBare ? [] : processes)
        live.begin(isBare ? "\(one.label), bare" : one.label, one.shape.end)
        let watch = LoadWatch(
            stop: interrupt.stop, tell: { [live] in live.tell($0, $1) }, countingBegins: { meter.begin() })
        var result = try await run(one.shape, watch)
        meter.end(&result.figures)
        live.end()
        return result
    }

    /// Reports, writes the files, and judges.
    func finish(_ runs: [LoadReport.Run], _ began: Date) throws {
        var versions = versions
        versions["waymark"] = Product.version
        let warnings = remarks + BenchWarnings.of(runs)
        let report = LoadReport(
            mode: mode, at: began, command: CommandLine.arguments.dropFirst().joined(separator: " "),
            machine: .here(versions: versions), runs: runs, warnings: warnings)
        try BenchPrinter(output).print(report)
        for warning in warnings { output.notice("warning", "Warning: \(warning)") }
        try BenchFiles(options).write(report)
        if let exitCode = interrupt.exitCode {
            output.notice("ended", "Ended early: the figures are of what was done until then.")
            throw exitCode
        }
        let complaints = BenchJudge.complaints(runs, options.assertions)
        if !complaints.isEmpty {
            throw Failure(.failed, "assertion", complaints.joined(separator: "\n"))
        }
    }
}
