// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers

/// The pages of the listener, without HTTP.
///
/// No page waits for the service longer than `patience`: a prober wants to know that the service hangs, not to hang
/// too.
public final class MonitoringPages: Sendable {
    /// How long the service's loop has to answer.
    static let patience = Duration.seconds(1)

    /// The time that the loop took to answer a scrape.
    public static let loopWait = MetricDefinition.gauge(
        "waymark_loop_wait_seconds",
        help:
            "Time that the loop took to report its values; 1 if it did not within a second, and the values are old."
    )

    public struct Page: Sendable, Equatable {
        public var isGood: Bool
        public var contentType: String
        public var text: String
    }

    private let turn: SharedCall
    private let problems: SharedCall
    private let collection: SharedCall
    private let lastProblems = NIOLockedValueBox<[String]>([])
    private let lastFamilies = NIOLockedValueBox<[MetricFamily]>([])
    private let others: @Sendable () -> [MetricFamily]
    private let patience: Duration

    public convenience init(_ service: Monitored) {
        self.init(service, patience: Self.patience)
    }

    init(_ service: Monitored, patience: Duration) {
        self.patience = patience
        others = service.others
        turn = SharedCall(service.turn)
        let (lastFamilies, lastProblems) = (lastFamilies, lastProblems)
        collection = SharedCall {
            if let families = await service.collect() { lastFamilies.withLockedValue { $0 = families } }
        }
        problems = SharedCall {
            let found = await service.problems()
            lastProblems.withLockedValue { $0 = found }
        }
    }

    /// Whether the service's loop still runs.
    public func live() async -> Page {
        guard await turn.run(within: patience) else { return .plain(false, Self.silence) }
        return .plain(true, "live\n")
    }

    /// Whether the service can do its work; if not, the reasons, one a line.
    public func ready() async -> Page {
        guard await problems.run(within: patience) else { return .plain(false, Self.silence) }
        let found = lastProblems.withLockedValue { $0 }
        guard found.isEmpty else { return .plain(false, found.map { Self.line($0) + "\n" }.joined()) }
        return .plain(true, "ready\n")
    }

    public func metrics() async -> Page {
        let begun = ContinuousClock.now
        let isFresh = await collection.run(within: patience)
        let wait = isFresh ? (ContinuousClock.now - begun) / .seconds(1) : 1
        let families =
            lastFamilies.withLockedValue { $0 } + others() + ProcessMetrics.families
            + [MetricFamily(Self.loopWait, [MetricSeries(.number(wait))])]
        return Page(isGood: true, contentType: PrometheusText.contentType, text: PrometheusText.write(families))
    }

    private static let silence = "The service's loop has not answered within a second.\n"

    /// The sentence as one line, with control characters replaced.
    private static func line(_ sentence: String) -> String {
        String(
            String.UnicodeScalarView(
                sentence.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
}

extension MonitoringPages.Page {
    fileprivate static func plain(_ isGood: Bool, _ text: String) -> Self {
        Self(isGood: isGood, contentType: "text/plain; charset=utf-8", text: text)
    }
}
