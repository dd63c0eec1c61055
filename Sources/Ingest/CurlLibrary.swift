// SPDX-License-Identifier: Apache-2.0

import CCurl
import Glibc

/// What has to be done once before libcurl is used.
enum CurlLibrary {
    /// Swift runs this once, however many threads come first at the same time, and nothing else in a process of ours
    /// calls libcurl: so `curl_global_init` never runs beside another call. It is never undone.
    static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// A server that has hung up makes a write of OpenSSL raise SIGPIPE, which would end the CLI. It comes to the thread
    /// that writes, so that it is enough to block it there; threads that libcurl begins do the same.
    static func blockBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
