// SPDX-License-Identifier: Apache-2.0

import CoreMetrics
import FoundationEssentials

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The process's memory, CPU time and files, under the names that all Prometheus clients use.
public actor ProcessMetrics {
    static let resident = MetricDefinition.gauge(
        "process_resident_memory_bytes", help: "Resident memory of the process.")
    static let cpu = MetricDefinition.counter(
        "process_cpu_seconds_total", help: "Processor time of the process, in user and kernel mode.")
    static let descriptors = MetricDefinition.gauge("process_open_fds", help: "Open file descriptors.")
    static let descriptorLimit = MetricDefinition.gauge(
        "process_max_fds", help: "The limit of file descriptors.")
    static let start = MetricDefinition.gauge(
        "process_start_time_seconds", help: "When the process started, in Unix seconds.")
    public static let build = MetricDefinition.gauge(
        "waymark_build_info", labels: ["version", "service"],
        help: "Always 1; the labels show the release and the service.")

    public static let definitions = [resident, cpu, descriptors, descriptorLimit, start, build]

    private var mirror: MetricsMirror
    private let cpuSeconds: FloatingPointCounter
    private var lastCPU = 0.0

    public init(_ registry: MetricsRegistry) {
        registry.describe(Self.definitions)
        mirror = MetricsMirror(registry)
        cpuSeconds = FloatingPointCounter(label: Self.cpu.name, factory: registry)
    }

    /// Sets the metric that names the service and its release.
    public static func tell(version: String, service: String, in registry: MetricsRegistry) {
        registry.describe([build])
        Gauge(
            label: build.name, dimensions: [("version", version), ("service", service)], factory: registry
        ).record(1)
    }

    func collect() {
        var usage = rusage()
        if getrusage(Int32(RUSAGE_SELF.rawValue), &usage) == 0 {
            let now = usage.ru_utime.seconds + usage.ru_stime.seconds
            cpuSeconds.increment(by: max(0, now - lastCPU))
            lastCPU = now
        }
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            mirror.set(Self.descriptorLimit, to: Double(limit.rlim_cur))
        }
        // proc(5): the second field is the pages that are resident.
        if let pages = Self.words("/proc/self/statm").dropFirst().first.flatMap({ Double($0) }) {
            mirror.set(Self.resident, to: pages * Double(sysconf(CInt(_SC_PAGESIZE))))
        }
        if let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            // One of them is the descriptor that reads the folder.
            mirror.set(Self.descriptors, to: Double(max(0, names.count - 1)))
        }
        if let seconds = Self.startTime { mirror.set(Self.start, to: seconds) }
    }

    /// proc(5): `starttime`, the 22nd field of `/proc/self/stat`, is in ticks since boot. `btime` in `/proc/stat` is
    /// the time of boot. The second field is a name in parentheses and may contain any character.
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

    private static func words(_ path: String) -> [Substring] {
        ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split { $0 == " " || $0 == "\n" }
            .map { Substring($0) }
    }
}

extension timeval {
    fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}
