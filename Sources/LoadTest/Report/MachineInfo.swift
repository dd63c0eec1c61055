// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The machine on which a test ran. Figures of different machines cannot be compared.
public struct MachineInfo: Codable, Hashable, Sendable {
    public var cpu: String
    public var cores: Int
    public var memory: UInt64
    public var kernel: String
    /// The versions of the measured programs and libraries, by name.
    public var versions: [String: String]

    /// Describes this machine.
    public static func here(versions: [String: String]) -> MachineInfo {
        func text(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
        let information = ProcessInfo.processInfo
        let cpu = text("/proc/cpuinfo").split(separator: "\n")
            .first { $0.hasPrefix("model name") || $0.hasPrefix("CPU part") }?.split(separator: ":").last
        let kernel = text("/proc/sys/kernel/osrelease").prefix { !$0.isNewline }
        return MachineInfo(
            cpu: cpu.map { String($0.drop { $0 == " " }) } ?? "unknown", cores: information.activeProcessorCount,
            memory: information.physicalMemory, kernel: kernel.isEmpty ? "unknown" : String(kernel),
            versions: versions)
    }
}
