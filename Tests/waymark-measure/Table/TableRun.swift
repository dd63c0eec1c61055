// SPDX-License-Identifier: Apache-2.0

import LoadTest
import WaymarkLoad

/// One making of the table: what its rows share.
final class TableRun {
    let scale: Scale
    let children: Children
    /// Of Tile38, where one was given.
    let tile38: String?
    let seed: UInt64 = 1
    /// Says what goes on.
    let tell: (String) -> Void
    /// Of what rows have started, by name.
    var versions: [String: String] = [:]
    /// A row could not be measured although everything that it needs is there.
    var hasFailed = false
    private var crowd: Crowd?

    init(_ scale: Scale, _ children: Children, tile38: String?, tell: @escaping (String) -> Void) {
        (self.scale, self.children, self.tile38, self.tell) = (scale, children, tile38, tell)
    }

    /// The numbers of the rounds.
    var rounds: ClosedRange<Int> { 1...max(1, scale.rounds) }

    /// The pair with all landmarks: made once, for the row that asks first.
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

    /// Runs a test, and looks that everything was done.
    func measure(
        _ shape: LoadShape, of processes: [Int32] = [], _ test: (LoadShape, LoadWatch) async throws -> LoadResult
    ) async throws -> LoadResult {
        try check()
        let meter = LoadMeter(services: processes)
        var result = try await test(shape, LoadWatch(stop: children.stop, countingBegins: { meter.begin() }))
        meter.end(&result.figures)
        try check()
        guard result.figures.failures == 0 else { throw TableError.refused(result.figures.errors) }
        return result
    }
}
