// SPDX-License-Identifier: Apache-2.0

import CCurl
import Synchronization

/// The end of one fetch with all its transfers: when the time limit is reached or somebody cancels the fetch.
final class FetchDeadline: Sendable {
    private struct State {
        var isCancelled = false
        /// The running transfer; nil between transfers.
        var running: ConnectionCache?
    }

    private let state = Mutex(State())
    private let timeout: Duration
    private let end: ContinuousClock.Instant

    /// - Parameter timeout: the time limit for all transfers together, starting now.
    init(timeout: Duration) {
        self.timeout = timeout
        end = .now + timeout
    }

    /// Ends the present transfer and all later ones at once. May be called on any thread.
    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            if let running = state.running { curl_multi_wakeup(running.handle) }
        }
    }

    /// Runs a transfer to its end. `curl_easy_perform` is simpler, but cannot be woken.
    ///
    /// - Parameters:
    ///   - handle: libcurl's `CURL *`.
    ///   - kept: keeps the connection; nil to close it after the transfer.
    /// - Throws: an error if the fetch was cancelled or the time limit was reached.
    func run(
        _ handle: UnsafeMutableRawPointer, over kept: ConnectionCache?
    ) throws(FetchError.Reason) -> CURLcode {
        guard let cache = kept ?? ConnectionCache() else { return CURLE_OUT_OF_MEMORY }
        let multi = cache.handle
        defer {
            state.withLock { $0.running = nil }
            curl_multi_remove_handle(multi, handle)
            withExtendedLifetime(cache) {}
        }
        state.withLock { $0.running = cache }
        guard curl_multi_add_handle(multi, handle) == CURLM_OK else { return CURLE_OUT_OF_MEMORY }
        while true {
            let milliseconds = try left()
            var running: Int32 = 0
            guard curl_multi_perform(multi, &running) == CURLM_OK else { return CURLE_OUT_OF_MEMORY }
            if running == 0 { return Self.result(multi) }
            curl_multi_poll(multi, nil, 0, milliseconds, nil)
        }
    }

    private static func result(_ multi: UnsafeMutableRawPointer) -> CURLcode {
        var left: Int32 = 0
        guard let message = curl_multi_info_read(multi, &left), message.pointee.msg == CURLMSG_DONE else {
            return CURLE_FAILED_INIT
        }
        return message.pointee.data.result
    }

    /// Returns the milliseconds until the time limit, rounded up, so that the limit is reached after waiting for them.
    ///
    /// - Throws: an error if the fetch was cancelled or the time limit was reached.
    private func left() throws(FetchError.Reason) -> Int32 {
        if state.withLock({ $0.isCancelled }) { throw .cancelled }
        let left = ContinuousClock.now.duration(to: end)
        guard left > .zero else { throw .timedOut(timeout) }
        return Int32(min(left / .milliseconds(1), Double(Int32.max - 1)).rounded(.up))
    }
}
