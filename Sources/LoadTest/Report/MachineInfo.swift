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
        let information = ProcessInfo.processInfo
        return MachineInfo(
            cpu: cpuName ?? "unknown", cores: information.activeProcessorCount, memory: information.physicalMemory,
            kernel: kernel, versions: versions)
    }

    private static var cpuName: String? {
        guard let text = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8) else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix("model name") || $0.hasPrefix("CPU part") }
        return line?.split(separator: ":").last.map { String($0.drop { $0 == " " }) }
    }

    private static var kernel: String {
        let text = try? String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8)
        return text.map { String($0.prefix { !$0.isNewline }) } ?? "unknown"
    }
}
