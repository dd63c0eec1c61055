// SPDX-License-Identifier: Apache-2.0

import Glibc
import NIOConcurrencyHelpers

/// Makes the text of the `Date` header (RFC 9110, 5.6.7) at most once a second.
final class HTTPDate: Sendable {
    private let latest = NIOLockedValueBox<(second: time_t, text: String)>((-1, ""))

    var text: String {
        let now = time(nil)
        return latest.withLockedValue { latest in
            if latest.second != now { latest = (now, Self.text(of: now)) }
            return latest.text
        }
    }

    static func text(of second: time_t) -> String {
        var (second, parts) = (second, tm())
        gmtime_r(&second, &parts)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
            // The names of days and months are English, because no program that uses this module sets a locale.
            let count = strftime(text.baseAddress, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
            return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
}
