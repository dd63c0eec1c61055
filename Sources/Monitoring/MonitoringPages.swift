// SPDX-License-Identifier: Apache-2.0

/// The contents of the listener's pages, without HTTP.
///
/// No page waits for the service longer than `patience`, because a client that checks the health has to learn that the
/// service hangs, and must not hang too.
public final class MonitoringPages: Sendable {
    /// The maximum time that a page waits for the service's event loop.
    public static let patience = Duration.seconds(1)

    /// The time that the service's event loop took to report its values.
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
    ///   - turn: returns when the service's event loop has come to run it.
    ///   - problems: returns the problems that prevent the service's work, one sentence each; empty if it is ready.
    ///   - collect: returns the service's metrics; nil to keep the previous metrics.
    ///   - others: returns metrics that are read without the event loop.
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

    /// Returns whether the service's event loop still runs.
    public func live() async -> Page {
        guard await turn.run(within: patience) else { return .plain(false, Self.silence) }
        return .plain(true, "live\n")
    }

    /// Returns whether the service can do its work, and if not, the reasons, one in each line.
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

    /// Returns the sentence as one line, with control characters replaced by spaces.
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
