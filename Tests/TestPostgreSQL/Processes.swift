// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// What the kernel knows of processes that are not our own children.
enum Processes {
    static func children(of parent: pid_t) -> [pid_t] {
        let all = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { pid_t($0) }
        return all.filter { fields($0)?.parent == parent }
    }

    /// One that has ended may be left as a zombie by its new parent.
    static func isRunning(_ pid: pid_t) -> Bool { fields(pid).map { $0.state != "Z" && $0.state != "X" } ?? false }

    /// In `/proc/…/stat` they come after the name, which may have spaces.
    private static func fields(_ pid: pid_t) -> (state: String, parent: pid_t)? {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return nil }
        let words = text[text.index(after: end)...].split(separator: " ")
        guard words.count > 1, let parent = pid_t(words[1]) else { return nil }
        return (String(words[0]), parent)
    }
}
