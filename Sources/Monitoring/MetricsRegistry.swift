// SPDX-License-Identifier: Apache-2.0

public import CoreMetrics
import NIOConcurrencyHelpers

/// The metrics of a process: a backend of swift-metrics that keeps them until somebody scrapes.
///
/// There is no package for this where Waymark is built. The registry records what swift-metrics' API reports, limits
/// the number of each metric's series, and hands them to ``PrometheusText``.
///
/// A program bootstraps swift-metrics with one of these; a test makes one for itself.
public final class MetricsRegistry: MetricsFactory {
    private struct Family {
        var definition: MetricDefinition
        var series: [[String]: any Instrument] = [:]
    }

    /// The most metrics without a definition. They come from libraries.
    static let familyLimit = 1_000
    /// The most characters of a label's value.
    static let valueLength = 128
    /// The bounds of a `Timer` without a definition, in seconds.
    static let timeBounds = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10]

    private let families: NIOLockedValueBox<[String: Family]>

    /// - Parameter definitions: the described metrics. Metrics without a definition are accepted too.
    public init(_ definitions: [MetricDefinition] = []) {
        families = NIOLockedValueBox(
            Dictionary(definitions.map { ($0.name, Family(definition: $0)) }) { first, _ in first })
    }

    /// Adds definitions. A metric that has one keeps it.
    public func describe(_ definitions: [MetricDefinition]) {
        families.withLockedValue { families in
            for definition in definitions where families[definition.name] == nil {
                families[definition.name] = Family(definition: definition)
            }
        }
    }

    /// The current metrics, in the order of names and labels, without those that have no series.
    public var snapshot: [MetricFamily] {
        families.withLockedValue { families in
            families.values.filter { !$0.series.isEmpty }
                .sorted { $0.definition.name < $1.definition.name }
                .map { family in
                    MetricFamily(
                        family.definition,
                        family.series.sorted { $0.key.lexicographicallyPrecedes($1.key) }
                            .map { MetricSeries($0.key, $0.value.value) })
                }
        }
    }

    /// The histogram of these labels, to which counts can be added.
    public func histogram(_ definition: MetricDefinition, _ dimensions: [(String, String)]) -> HistogramInstrument {
        describe([definition])
        return instrument(definition.name, dimensions, .histogram) { HistogramInstrument(bounds: $0.bounds) }
    }

    // MARK: MetricsFactory

    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        instrument(label, dimensions, .counter) { _ in TotalInstrument() }
    }

    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        instrument(label, dimensions, .counter) { _ in TotalInstrument() }
    }

    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        instrument(label, dimensions, .gauge) { _ in GaugeInstrument() }
    }

    public func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        guard aggregate else { return instrument(label, dimensions, .gauge) { _ in GaugeInstrument() } }
        return instrument(label, dimensions, .histogram) { HistogramInstrument(bounds: $0.bounds) }
    }

    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        instrument(label, dimensions, .histogram) { HistogramInstrument(bounds: $0.bounds) }
    }

    public func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { remove(handler) }
    public func destroyMeter(_ handler: any MeterHandler) { remove(handler) }
    public func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }
    public func destroyTimer(_ handler: any TimerHandler) { remove(handler) }

    private func remove(_ handler: AnyObject) {
        families.withLockedValue { families in
            for name in families.keys {
                if let place = families[name]?.series.firstIndex(where: { $0.value === handler }) {
                    families[name]?.series.remove(at: place)
                    return
                }
            }
        }
    }

    /// The instrument of these labels, made if there is none yet. If there is no room for it, or another type has its
    /// name, the instrument records nothing.
    private func instrument<Wanted: Instrument>(
        _ label: String, _ dimensions: [(String, String)], _ kind: MetricDefinition.Kind,
        make: (MetricDefinition) -> Wanted
    ) -> Wanted {
        families.withLockedValue { families in
            let name = PrometheusName.metric(label)
            if families[name] == nil, families.count < Self.familyLimit {
                families[name] = Family(
                    definition: MetricDefinition(
                        kind, name, labels: dimensions.map { PrometheusName.label($0.0) }, bounds: Self.timeBounds,
                        help: ""))
            }
            guard let definition = families[name]?.definition, definition.kind == kind else {
                return make(MetricDefinition(kind, name, bounds: Self.timeBounds, help: ""))
            }
            var values = definition.labels.map { name in
                let value = dimensions.first { PrometheusName.label($0.0) == name }?.1 ?? ""
                return String(value.prefix(Self.valueLength))
            }
            if families[name]?.series[values] == nil,
                let count = families[name]?.series.count, count >= definition.seriesLimit
            {
                values = definition.labels.map { _ in MetricDefinition.otherValue }
            }
            // Each kind of metric has one class, whichever part of the API asks for it.
            if let known = families[name]?.series[values] as? Wanted { return known }
            let made = make(definition)
            families[name]?.series[values] = made
            return made
        }
    }
}
