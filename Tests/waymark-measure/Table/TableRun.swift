// SPDX-License-Identifier: Apache-2.0

import LoadTest
import WaymarkLoad

/// One run of the table: the state that its rows share.
final class TableRun {
    let scale: Scale
    let children: Children
    /// The path of Tile38, if it was given.
    let tile38: String?
    let seed: UInt64 = 1
    /// Reports the progress.
    let tell: (String) -> Void
    /// The versions of programs that the rows have started, by name.
    var versions: [String: String] = [:]
    /// Whether a row failed although everything that it needs is installed.
    var hasFailed = false
    private var crowd: Crowd?

    init(_ scale: Scale, _ children: Children, tile38: String?, tell: @escaping (String) -> Void) {
        (self.scale, self.children, self.tile38, self.tell) = (scale, children, tile38, tell)
    }

    /// The numbers of the rounds.
    var rounds: ClosedRange<Int> { 1...max(1, scale.rounds) }

    /// Both services with all landmarks, created once by the row that asks first.
    func everybody() async throws -> Crowd {
        if let crowd { return crowd }
        let crowd = try await Crowd(self)
        self.crowd = crowd
        return crowd
    }

    func check() throws {
        if children.stop.isAsked { throw CancellationError() }
    }

    func closed(window: Int, seconds: Double? = nil) -> LoadShape {
        LoadShape(
            loop: .closed(window: window), end: .duration(seconds: seconds ?? scale.seconds), warmUp: scale.warmUp,
            seed: seed)
    }

    /// Like ``measureEach(_:of:_:)``, without the times of each process.
    func measure(
        _ shape: LoadShape, of processes: [Int32] = [], _ test: (LoadShape, LoadWatch) async throws -> LoadResult
    ) async throws -> LoadResult {
        try await measureEach(shape, of: processes, test).result
    }

    /// Runs a test, and throws if any operation failed.
    ///
    /// - Returns: also the seconds of CPU time of each process, in their order.
    func measureEach(
        _ shape: LoadShape, of processes: [Int32], _ test: (LoadShape, LoadWatch) async throws -> LoadResult
    ) async throws -> (result: LoadResult, cpu: [Double]) {
        try check()
        let (all, each) = (LoadMeter(services: processes), processes.map { LoadMeter(services: [$0]) })
        let watch = LoadWatch(
            stop: children.stop,
            countingBegins: {
                all.begin()
                for meter in each { meter.begin() }
            })
        var result = try await test(shape, watch)
        all.end(&result.figures)
        let cpu = each.map { meter in
            var figures = result.figures
            meter.end(&figures)
            return figures.servicesCPU ?? 0
        }
        try check()
        guard result.figures.failures == 0 else { throw TableError.refused(result.figures.errors) }
        return (result, cpu)
    }
}
