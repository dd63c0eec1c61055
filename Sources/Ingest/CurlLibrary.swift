// SPDX-License-Identifier: Apache-2.0

import CCurl
import Glibc

/// The global preparation for libcurl.
enum CurlLibrary {
    /// Initialises libcurl once per process; nothing undoes it. `curl_global_init` must not run beside other calls of
    /// libcurl: Swift makes concurrent first readers wait for it, and no other code in this process calls libcurl.
    static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// Blocks SIGPIPE on the calling thread. OpenSSL raises it when it writes to a server that has hung up, which would
    /// end the CLI. The signal goes to the writing thread; libcurl's own threads block it themselves.
    static func blockBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
