// SPDX-License-Identifier: Apache-2.0

import Dispatch
import FoundationEssentials
import Glibc
import Synchronization

/// Measures the CPU time and the memory that the processes of a run use while the run is counted.
public final class LoadMeter: Sendable {
    private let services: ProcessMeter?
    private let first: Mutex<(generator: Double?, services: ProcessMeter.Reading?)> = Mutex((nil, nil))
    private let queue = DispatchQueue(label: "waymark.load-meter")

    /// - Parameter services: the process ids of the tested services; empty if they run on another machine.
    public init(services: [Int32] = []) { self.services = services.isEmpty ? nil : ProcessMeter(services) }

    /// Starts measuring. Called on the generator's thread. The files in `/proc` are read on another thread, because
    /// reading them takes long enough to increase a measured latency.
    public func begin() {
        first.withLock { $0.generator = NanoClock.processTime }
        guard let services else { return }
        queue.async { [self] in
            let now = services.read()
            first.withLock { $0.services = now }
        }
    }

    /// Writes what was used since ``begin()`` into the figures.
    public func end(_ figures: inout LoadFigures) {
        let begun = queue.sync { first.withLock { $0 } }
        if let before = begun.generator { figures.generatorCPU = NanoClock.processTime - before }
        if let before = begun.services, let now = services?.read() {
            figures.servicesCPU = now.cpu - before.cpu
            figures.servicesMemory = now.memory
        }
    }
}

/// Measures the CPU time and memory of processes on this machine by reading `/proc`.
public struct ProcessMeter: Sendable {
    /// The CPU time in seconds, user and system together, and the resident memory in bytes.
    public typealias Reading = (cpu: Double, memory: UInt64)

    private let processes: [Int32]

    public init(_ processes: [Int32]) { self.processes = processes }

    /// Returns the total of all processes; nil if one of them does not exist (any more).
    public func read() -> Reading? {
        var sum: Reading = (0, 0)
        for process in processes {
            guard let own = Self.read(process) else { return nil }
            sum = (sum.cpu + own.cpu, sum.memory + own.memory)
        }
        return sum
    }

    /// Reads one process as described in proc(5). Fields 14 and 15 of `stat` are the clock ticks in user and system
    /// mode. The second field of `statm` is the resident memory in pages.
    private static func read(_ process: Int32) -> Reading? {
        guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let statm = try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8),
            // Field 2 is the name in parentheses and may contain any character, so continue after the last parenthesis.
            let end = stat.lastIndex(of: ")")
        else { return nil }
        let fields = stat[stat.index(after: end)...].split(separator: " ")
        let pages = statm.split(separator: " ")
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]), pages.count > 1,
            let resident = UInt64(pages[1])
        else { return nil }
        return ((user + system) / Double(sysconf(Int32(_SC_CLK_TCK))), resident * UInt64(sysconf(Int32(_SC_PAGESIZE))))
    }
}

/// A clock that is the same for all processes of a machine and that nobody can set.
public enum NanoClock {
    /// The nanoseconds since an arbitrary moment (CLOCK_MONOTONIC; Linux reads it without a system call).
    public static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }

    /// The CPU time that this process has used, user and system together, in seconds.
    static var processTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Lets the thread sleep for about this many nanoseconds.
    public static func sleep(_ nanoseconds: UInt64) {
        var time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        nanosleep(&time, nil)
    }
}
