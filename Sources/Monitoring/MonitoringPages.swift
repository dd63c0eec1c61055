// SPDX-License-Identifier: Apache-2.0

/// The pages of the listener, without HTTP.
///
/// No page waits for the service longer than `patience`: a prober has to learn that the service hangs, not hang too.
public final class MonitoringPages: Sendable {
    /// The time that the service's loop has to answer.
    public static let patience = Duration.seconds(1)

    /// The time that the loop took to answer a scrape.
    public static let loopWait = MetricDefinition.gauge(
        "waymark_loop_wait_seconds",
        help:
            "Time that the loop took to report its values; 1 if it took longer than a second: the values are old."
    )

    public struct Page: Sendable, Equatable {
        public var isGood: Bool
        public var contentType: String
        public var text: String
    }

    private let turn: SharedCall<Void>
    private let problems: SharedCall<[String]>
    private let collection: SharedCall<[MetricFamily]>
    private let others: @Sendable () -> [MetricFamily]
    private let patience: Duration

    /// - Parameters:
    ///   - turn: returns when the service's loop has had a turn.
    ///   - problems: the problems that prevent the service's work, one sentence each; none if it is ready.
    ///   - collect: the service's metrics; nil: the last ones stay.
    ///   - others: metrics that need no turn of the loop.
    public init(
        turn: @escaping @Sendable () async -> Void, problems: @escaping @Sendable () async -> [String],
        collect: @escaping @Sendable () async -> [MetricFamily]?,
        others: @escaping @Sendable () -> [MetricFamily] = { [] }, patience: Duration = MonitoringPages.patience
    ) {
        (self.others, self.patience) = (others, patience)
        self.turn = SharedCall { await turn() }
        self.problems = SharedCall { await problems() }
        collection = SharedCall(collect)
    }

    /// Whether the service's loop still runs.
    public func live() async -> Page {
        guard await turn.run(within: patience) else { return .plain(false, Self.silence) }
        return .plain(true, "live\n")
    }

    /// Whether the service can do its work; if not, the reasons, one a line.
    public func ready() async -> Page {
        guard await problems.run(within: patience) else { return .plain(false, Self.silence) }
        let found = await problems.last ?? []
        guard found.isEmpty else { return .plain(false, found.map { Self.line($0) + "\n" }.joined()) }
        return .plain(true, "ready\n")
    }

    public func metrics() async -> Page {
        let begun = ContinuousClock.now
        let isFresh = await collection.run(within: patience)
        let wait = isFresh ? (ContinuousClock.now - begun) / .seconds(1) : 1
        let own = await collection.last ?? []
        let families = own + others() + [MetricFamily(Self.loopWait, [MetricSeries(.number(wait))])]
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
