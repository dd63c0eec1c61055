// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// Processes that are not our own children, as the kernel lists them.
enum Processes {
    static func children(of parent: pid_t) -> [pid_t] {
        let all = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { pid_t($0) }
        return all.filter { fields($0)?.parent == parent }
    }

    /// Whether a process runs; an ended one may be left as a zombie by its new parent.
    static func isRunning(_ pid: pid_t) -> Bool { fields(pid).map { $0.state != "Z" && $0.state != "X" } ?? false }

    /// State and parent, which come in `/proc/…/stat` after the name, which may have spaces.
    private static func fields(_ pid: pid_t) -> (state: String, parent: pid_t)? {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return nil }
        let words = text[text.index(after: end)...].split(separator: " ")
        guard words.count > 1, let parent = pid_t(words[1]) else { return nil }
        return (String(words[0]), parent)
    }
}
