// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Lets a limited number of tests run at a time for each core. The others wait in the order of arrival.
actor Turns {
    /// For tests that wait for their processes most of the time.
    static let services = Turns(3 * cores)
    static let code = Turns(4 * cores)
    /// For tests that take a core each. Half of the cores is left to tests that wait for answers.
    static let computing = Turns(max(1, cores / 2))

    /// The cores that this process may use. `ProcessInfo` counts the machine's, also under `taskset`.
    private static let cores: Int = {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let mask = status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed:") } ?? ""
        return max(1, mask.dropFirst("Cpus_allowed:".count).reduce(0) { $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0) })
    }()

    private var left: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { left = count }

    func begin() async {
        guard left == 0 else {
            left -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func end() {
        if waiting.isEmpty { left += 1 } else { waiting.removeFirst().resume() }
    }
}
