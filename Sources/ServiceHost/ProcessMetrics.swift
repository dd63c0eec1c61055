// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
public import Monitoring

/// The memory, CPU time and open files of the process, under the names that all Prometheus clients use.
public enum ProcessMetrics {
    private static let table: [Metric<Void>] = [
        .measure("process_resident_memory_bytes", { _ in Self.resident }, help: "Resident memory of the process."),
        .series(
            .counter("process_cpu_seconds_total", help: "Processor time of the process, in user and kernel mode.")
        ) { _ in Self.processorTime.map { [MetricSeries(.number($0))] } ?? [] },
        .measure("process_open_fds", { _ in OpenFiles.count.map { Double($0) } }, help: "Open file descriptors."),
        .measure("process_max_fds", { _ in Double(OpenFiles.limit) }, help: "The limit of file descriptors."),
        .measure(
            "process_start_time_seconds", { _ in Self.startTime }, help: "When the process started, in Unix seconds."),
    ]
    private static let build = MetricDefinition.gauge(
        "waymark_build_info", labels: ["version", "service"],
        help: "Always 1; the labels show the release and the service.")

    public static let definitions = table.compactMap(\.definition) + [build]

    static var families: [MetricFamily] { table.families(of: ()) }

    /// Returns the metric that tells the service's name and release.
    public static func build(version: String, service: String) -> MetricFamily {
        MetricFamily(build, [MetricSeries([version, service], .number(1))])
    }

    private static var processorTime: Double? {
        var usage = rusage()
        guard getrusage(Int32(RUSAGE_SELF.rawValue), &usage) == 0 else { return nil }
        return usage.ru_utime.seconds + usage.ru_stime.seconds
    }

    /// proc(5): the second field of `/proc/self/statm` is the number of resident pages.
    private static var resident: Double? {
        let words = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        return words?.dropFirst().first.flatMap { Double($0) }.map { $0 * Double(sysconf(CInt(_SC_PAGESIZE))) }
    }

    /// proc(5): `starttime`, the 22nd field of `/proc/self/stat`, is in clock ticks since boot. `btime` in `/proc/stat`
    /// is the time of boot. The second field is a name in parentheses, which may contain any character.
    private static let startTime: Double? = {
        guard let stat = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),
            let end = stat.lastIndex(of: ")"),
            let boot = try? String(contentsOfFile: "/proc/stat", encoding: .utf8)
                .split(separator: "\n").first(where: { $0.hasPrefix("btime ") })?
                .split(separator: " ").last.flatMap({ Double($0) })
        else { return nil }
        let fields = stat[stat.index(after: end)...].split(separator: " ")
        guard fields.count > 19, let ticks = Double(fields[19]) else { return nil }
        return boot + ticks / Double(sysconf(CInt(_SC_CLK_TCK)))
    }()
}

extension timeval {
    fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}
