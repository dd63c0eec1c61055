// SPDX-License-Identifier: Apache-2.0

import CCurl
import Glibc

extension FetchError.Reason {
    /// Converts an error of libcurl.
    ///
    /// - Parameters:
    ///   - words: libcurl's description of the error, which may quote the server.
    ///   - errno: the system's error number for the last failed connection; 0 if there was none.
    ///   - proxyStatus: the HTTP status of the proxy's answer; 0 if there was none.
    init(_ code: CURLcode, words: String, errno: CInt, proxyStatus: Int) {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST:
            self = .connection("no machine of that name is known, so check the address")
        case CURLE_COULDNT_RESOLVE_PROXY:
            self = .connection("no machine of the proxy's name is known, so check http_proxy and https_proxy")
        case CURLE_COULDNT_CONNECT where errno == ECONNREFUSED:
            self = .connection("nobody listens there, so check the address and its port")
        case CURLE_COULDNT_CONNECT where errno != 0: self = .connection(String(cString: strerror(errno)))
        // The time limit for connecting. The deadline of the whole fetch is checked elsewhere.
        case CURLE_OPERATION_TIMEDOUT: self = .connection("it does not answer")
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY: self = .connection("its answer is no HTTP")
        case CURLE_RECV_ERROR where proxyStatus >= 300:
            self = .connection("the proxy answered \(proxyStatus), so check https_proxy")
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2,
            CURLE_HTTP2_STREAM:
            self = .cutOff
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
            self = .untrusted(Self.shown(words, code))
        case CURLE_SSL_CACERT_BADFILE:
            self = .untrusted("the file of known authorities cannot be read")
        default: self = .connection(Self.shown(words, code))
        }
    }

    /// Returns libcurl's description on one line without control characters, because the server controls a part of it.
    private static func shown(_ words: String, _ code: CURLcode) -> String {
        let text = words.isEmpty ? String(cString: curl_easy_strerror(code)) : words
        let line = String(text.unicodeScalars.map { (0x20..<0x7f).contains($0.value) ? Character($0) : " " })
        return line.split(separator: " ").joined(separator: " ").shortened(to: 200)
    }
}
