// SPDX-License-Identifier: Apache-2.0

import CCurl
import Synchronization

/// Runs the transfers of one fetch, one after the other, on the thread that calls ``run(_:)``.
final class TransferLoop: Sendable {
    /// libcurl's `CURLM *`. `@unchecked` holds because other threads only wake it, which libcurl allows. They hold
    /// the lock while they do, so it is not freed meanwhile.
    private struct Multi: @unchecked Sendable {
        let handle: UnsafeMutableRawPointer
    }

    private struct State {
        var isCancelled = false
        /// Set while a transfer runs.
        var multi: Multi?
    }

    private let state = Mutex(State())
    private let timeout: Duration
    private let deadline: ContinuousClock.Instant

    /// - Parameter timeout: for all transfers together, from now on.
    init(timeout: Duration) {
        self.timeout = timeout
        deadline = .now + timeout
    }

    /// Ends the current transfer and all later ones. Callable from any thread.
    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            if let multi = state.multi { curl_multi_wakeup(multi.handle) }
        }
    }

    private var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Runs a transfer to its end, then closes its connection.
    ///
    /// - Parameter handle: libcurl's `CURL *`.
    func run(_ handle: UnsafeMutableRawPointer) throws(FetchError.Reason) -> CURLcode {
        guard let multi = curl_multi_init() else { return CURLE_OUT_OF_MEMORY }
        defer {
            state.withLock { $0.multi = nil }
            curl_multi_remove_handle(multi, handle)
            curl_multi_cleanup(multi)
        }
        let shared = Multi(handle: multi)
        state.withLock { $0.multi = shared }
        guard curl_multi_add_handle(multi, handle) == CURLM_OK else { return CURLE_OUT_OF_MEMORY }
        while true {
            var running: Int32 = 0
            guard curl_multi_perform(multi, &running) == CURLM_OK else { return CURLE_OUT_OF_MEMORY }
            if running == 0 { return Self.result(multi) }
            if isCancelled { throw .cancelled }
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { throw .timedOut(timeout) }
            curl_multi_poll(multi, nil, 0, Self.milliseconds(left), nil)
        }
    }

    private static func result(_ multi: UnsafeMutableRawPointer) -> CURLcode {
        var left: Int32 = 0
        guard let message = curl_multi_info_read(multi, &left), message.pointee.msg == CURLMSG_DONE else {
            return CURLE_FAILED_INIT
        }
        return message.pointee.data.result
    }

    /// Rounded up, so that the deadline has passed after the wait. At most a minute.
    private static func milliseconds(_ duration: Duration) -> Int32 {
        let (seconds, attoseconds) = min(duration, .seconds(60)).components
        return Int32(seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1)
    }
}
