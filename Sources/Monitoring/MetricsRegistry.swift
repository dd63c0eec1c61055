// SPDX-License-Identifier: Apache-2.0

public import CoreMetrics
import NIOConcurrencyHelpers

/// The metrics of a process: a backend of swift-metrics that keeps them until somebody scrapes.
///
/// Of our own, because the build can have no package that does the same: it takes what swift-metrics' API records,
/// keeps every metric within a bound on its series, and gives it out for ``PrometheusText``.
///
/// A program bootstraps swift-metrics with one of these; a test makes one for itself.
public final class MetricsRegistry: MetricsFactory {
    private struct Family {
        var definition: MetricDefinition
        var series: [[String]: any Instrument] = [:]
    }

    /// Metrics that nobody has described come from libraries: not more of them than this.
    static let familyLimit = 1_000
    /// Characters of a label's value.
    static let valueLength = 128
    /// In seconds, for a `Timer` that nobody has described.
    static let timeBounds = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10]

    private let families: NIOLockedValueBox<[String: Family]>

    /// - Parameter definitions: those that have a description; others are taken as they come.
    public init(_ definitions: [MetricDefinition] = []) {
        families = NIOLockedValueBox(
            Dictionary(definitions.map { ($0.name, Family(definition: $0)) }) { first, _ in first })
    }

    /// Describes metrics; one that is described already stays as it is.
    public func describe(_ definitions: [MetricDefinition]) {
        families.withLockedValue { families in
            for definition in definitions where families[definition.name] == nil {
                families[definition.name] = Family(definition: definition)
            }
        }
    }

    /// What there is at this moment, in the order of names and labels. Metrics without any series are left out.
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

    /// The histogram of these labels, to which counts can be handed over.
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

    /// The instrument of these labels, made if there is none yet. One that there is no room for, or whose name is taken
    /// by another type, records into the void.
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
            // Of one kind there is one class, whichever part of the API asks for it.
            if let known = families[name]?.series[values] as? Wanted { return known }
            let made = make(definition)
            families[name]?.series[values] = made
            return made
        }
    }
}
