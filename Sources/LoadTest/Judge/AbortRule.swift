// SPDX-License-Identifier: Apache-2.0

/// Limits that end a run early: assertions that must not come true over the last seconds.
public struct AbortRule: Hashable, Sendable {
    /// The time in seconds over which a rule is judged, if nobody chose another.
    public static let usual = 5
    /// The longest such time.
    public static let longest = 60

    public var assertions: [LoadAssertion]
    /// The length of the sliding window in seconds. The rule is first judged when so many seconds were counted.
    public let seconds: Int

    public init(_ assertions: [LoadAssertion], seconds: Int = AbortRule.usual) {
        (self.assertions, self.seconds) = (assertions, min(max(1, seconds), Self.longest))
    }

    /// Whether the last seconds of a run have the figure of the assertion.
    public static func knows(_ assertion: LoadAssertion) -> Bool {
        assertion.part == nil && (assertion.unit == .microseconds || [.throughput, .errors].contains(assertion.metric))
    }
}

/// The last seconds of a run that an ``AbortRule`` judges.
struct AbortWindow: Sendable {
    private let rule: AbortRule
    private let stop: LoadStop
    private var last: [(latencies: Latencies, failed: UInt64)] = []

    init(_ rule: AbortRule, _ stop: LoadStop) { (self.rule, self.stop) = (rule, stop) }

    /// Adds the counts of a second, and ends the run if an assertion has come true.
    ///
    /// - Parameter number: the number of the second, from 1.
    mutating func add(_ latencies: Latencies, failed: UInt64, second number: Int) {
        last.append((latencies, failed))
        if last.count > rule.seconds { last.removeFirst() }
        guard last.count == rule.seconds, !stop.isAsked else { return }
        let all = last.reduce(into: Latencies()) { $0.add($1.latencies) }
        let failures = last.reduce(0) { $0 + $1.failed }
        // One operation more than none, because a run in which nothing was done has no figures, not even errors.
        var figures = LoadFigures(
            seconds: Double(rule.seconds), sent: all.count + failures, done: max(1, all.count), bytes: 0, latency: all)
        figures.errors = ["": failures]
        for assertion in rule.assertions where all.count > 0 || assertion.unit != .microseconds {
            guard let value = assertion.value(in: figures), assertion.relation.holds(value, assertion.bound) else {
                continue
            }
            return stop.ask(
                because: "\(assertion) came true in second \(number): \(assertion.metric.rawValue) was "
                    + "\(LoadQuantity.text(value, assertion.unit)) over the last \(rule.seconds) s.")
        }
    }
}
