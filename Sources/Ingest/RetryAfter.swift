// SPDX-License-Identifier: Apache-2.0

import CCurl

/// Reads the `Retry-After` header, which is a number of seconds or a date (RFC 9110, 10.2.3).
enum RetryAfter {
    /// - Parameter now: the present time in Unix seconds.
    static func read(_ text: String, now: Int) -> Duration? {
        if !text.isEmpty, text.utf8.count <= 9, text.utf8.allSatisfy({ $0 &- 48 < 10 }), let seconds = Int(text) {
            return .seconds(seconds)
        }
        return unixSeconds(text).map { .seconds(max(0, $0 - now)) }
    }

    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`. Nil for a text that is no date after 1969. `curl_getdate` accepts more
    /// forms than RFC 9110 allows, which is harmless because the date only decides how long to wait.
    static func unixSeconds(_ text: String) -> Int? {
        guard text.hasSuffix(" GMT") else { return nil }
        let seconds = curl_getdate(text, nil)
        return seconds < 0 ? nil : seconds
    }
}
