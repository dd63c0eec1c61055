// SPDX-License-Identifier: Apache-2.0

import WaymarkClient
import WaymarkJSON

/// The state of both services, for people.
struct StatusBlock {
    private(set) var lines: [String] = []
    private let showsCounters: Bool
    private let painter: Painter

    init(_ report: StatusReport, _ endpoint: String, showsCounters: Bool, painter: Painter) {
        (self.showsCounters, self.painter) = (showsCounters, painter)
        if let query = report.query { add(query, endpoint) }
        if let storage = report.storage {
            if report.query != nil { lines.append("") }
            add(storage)
        } else {
            let isAway = report.query?.isStorageAway == true
            lines += [
                "", painter.paint("storage", .bold),
                "  \(painter.paint(isAway ? "does not answer" : "did not answer in time", .red))",
            ]
        }
    }

    private mutating func add(_ query: QueryStatus, _ endpoint: String) {
        lines.append(
            "\(painter.paint("query", .bold)) \(Escaping.visible(query.version)) at \(Escaping.visible(endpoint))")
        add("state", query.isReady ? painter.paint("ready", .green) : painter.paint("loading", .yellow))
        for sentence in query.problems + query.remarks { add("", Escaping.visible(sentence)) }
        add("epoch", query.epoch?.description ?? "-")
        if query.hasLandmarks {
            let lag = query.lag == 0 ? "up to date" : "\(Figures.count(query.lag, "change", "changes")) behind"
            // While storage cannot be reached, the lag is unknown, because it cannot count changes that the query
            // service has not heard of.
            add("revision", "\(query.rev)" + (query.isStorageAway ? "" : ", \(lag)"))
            add("landmarks", Figures.count(query.landmarks))
        } else {
            add("landmarks", "none are loaded yet, and reads are refused")
        }
        let away = query.isStorageAway ? painter.paint("away", .red) + ", " : ""
        let last = query.isStorageAway ? "last " : ""
        let heard = query.hasLandmarks ? "\(last)heard \(Figures.duration(query.age)) ago, " : ""
        add("storage", "\(away)\(heard)at \(Escaping.visible(query.storageEndpoint))")
        add("feed", Escaping.visible(query.changesEndpoint))
        add("up for", Figures.duration(query.uptime))
        add(query.counters)
    }

    private mutating func add(_ storage: StorageStatus) {
        lines.append("\(painter.paint("storage", .bold)) \(Escaping.visible(storage.version))")
        add("epoch", storage.epoch?.description ?? "-")
        if storage.refusesWrites { add("writes", painter.paint("refused", .red) + " because of the disk") }
        add("revision", "\(storage.head), kept from \(storage.floor) on")
        add("landmarks", Figures.count(storage.landmarks))
        add("database", Figures.bytes(storage.databaseBytes))
        add("searched", storage.searchRev >= storage.head ? "up to date" : "through revision \(storage.searchRev)")
        add("feed", Escaping.visible(storage.changesEndpoint))
        add("up for", Figures.duration(storage.uptime))
        add(storage.counters)
    }

    private mutating func add(_ counters: [ServiceCounter]) {
        guard showsCounters else { return }
        let width = counters.map(\.name.count).max() ?? 0
        for counter in counters { add(Escaping.visible(counter.name), Figures.count(counter.value), width: width + 1) }
    }

    /// - Parameter value: text that is already escaped.
    private mutating func add(_ name: String, _ value: String, width: Int = 11) {
        // A query service that has not heard from storage yet knows no endpoint of the feed. Omit such an empty line.
        guard !value.isEmpty else { return }
        let space = String(repeating: " ", count: max(1, width - name.count))
        lines.append("  \(painter.paint(name, .dim))\(space)\(value)")
    }
}
