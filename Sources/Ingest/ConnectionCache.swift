// SPDX-License-Identifier: Apache-2.0

import CCurl

/// A libcurl `CURLM *`, which keeps the connections of its transfers until it is freed.
///
/// `@unchecked Sendable`: one transfer at a time uses it, on any thread. Other threads only wake it, which libcurl
/// allows. They hold the lock of ``FetchDeadline`` meanwhile, whose reference keeps it from being freed.
final class ConnectionCache: @unchecked Sendable {
    let handle: UnsafeMutableRawPointer

    /// Nil if there is not enough memory.
    init?() {
        guard let handle = curl_multi_init() else { return nil }
        self.handle = handle
    }

    deinit { curl_multi_cleanup(handle) }
}
