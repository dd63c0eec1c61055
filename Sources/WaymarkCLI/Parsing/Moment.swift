// SPDX-License-Identifier: Apache-2.0

import WaymarkJSON

/// A point in the history as a person types it.
enum Moment: Hashable, Sendable {
    case revision(UInt64)
    /// A number of milliseconds before the present.
    case ago(UInt64)
    /// A time in Unix milliseconds.
    case time(UInt64)

    /// Returns the time in Unix milliseconds; nil for a revision.
    func time(now: UInt64) -> UInt64? {
        switch self {
        case .revision: nil
        case .ago(let milliseconds): now - min(now, milliseconds)
        case .time(let time): time
        }
    }
}

extension Values {
    private static let millisecondsPerUnit = [
        "ms": 1.0, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000,
    ]

    /// Reads a moment: a revision, `4711`; a time before now, `5m`; or a time in RFC 3339, `2026-03-01T09:30:00Z`.
    static func moment(_ text: String) throws -> Moment {
        if text.utf8.allSatisfy({ (48...57).contains($0) }), let rev = UInt64(text) { return .revision(rev) }
        if let time = Timestamp.milliseconds(rfc3339: text) { return .time(time) }
        if let match = text.wholeMatch(of: /([0-9]+(?:\.[0-9]+)?)(ms|s|m|h|d|w)/),
            let value = Double(match.1), let unit = millisecondsPerUnit[String(match.2)], value * unit < 1e14
        {
            return .ago(UInt64((value * unit).rounded()))
        }
        throw BadValue(
            "it is a revision (120), a time ago (30s, 5m, 2h, 7d) or a time of RFC 3339 (2026-03-01T09:30:00Z).")
    }
}
