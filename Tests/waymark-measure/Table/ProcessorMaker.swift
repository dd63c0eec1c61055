// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Who made the processor: some goals are stated for each maker.
enum ProcessorMaker {
    case amd, intel, other

    static let here = ProcessorMaker(
        information: (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? "")

    /// - Parameter information: the text of `/proc/cpuinfo`.
    init(information: String) {
        let line = information.split(separator: "\n").first { $0.hasPrefix("vendor_id") }
        self =
            switch line?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces) {
            case "AuthenticAMD": .amd
            case "GenuineIntel": .intel
            default: .other
            }
    }

    /// Nil for a maker for whom no goal is stated.
    func goal(amd: Goal, intel: Goal) -> Goal? {
        switch self {
        case .amd: amd
        case .intel: intel
        case .other: nil
        }
    }
}
