// SPDX-License-Identifier: Apache-2.0

import CCurl
import Glibc

/// Prepares libcurl for the whole process.
enum CurlLibrary {
    /// Whether libcurl is initialised, which happens once per process at the first read. `curl_global_init` must not
    /// run at the same time as other calls of libcurl: Swift makes concurrent first readers wait, and no other code in
    /// this process calls libcurl.
    static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// Blocks SIGPIPE on the calling thread. OpenSSL causes it by writing to a server that has hung up, and it would
    /// end the CLI. The system sends the signal to the thread that writes. libcurl's own threads block it themselves.
    static func blockBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
