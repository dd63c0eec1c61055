// SPDX-License-Identifier: Apache-2.0

import CCurl
import Glibc

/// One HTTP request with libcurl and its answer. Used only on the thread that created it.
final class WebTransfer {
    /// The maximum size of the headers of an answer in bytes, including interim answers.
    private static let headLimit = 256 << 10
    /// The time limit for connecting, including the TLS handshake.
    private static let connectMilliseconds = 10_000

    private let handle: UnsafeMutableRawPointer
    /// The maximum size of a body in bytes, and whether the body is discarded; then it is read only to keep the
    /// connection.
    private let reading: (limit: Int, discards: Bool)
    private let progress: (FetchProgress) -> Void
    private let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private var fields: UnsafeMutablePointer<curl_slist>?
    /// The error of the first option that libcurl refused.
    private var setting = CURLE_OK

    /// The rule that decides about each connection.
    private(set) var rule: PeerRule
    private var headBytes = 0
    private var head: WebHead?
    private var isBodyWanted = false
    private var body: [UInt8] = []
    /// The reason why a connection or an answer was refused; nil if none was.
    private var refusal: FetchError.Reason?

    /// - Parameters:
    ///   - limit: the maximum size of a body in bytes.
    ///   - rule: decides to which machines the transfer may connect.
    ///   - progress: called while the body arrives.
    ///   - discardsBody: whether the body does not matter, whatever the status is. Not more than `limit` is read.
    /// - Throws: an error if libcurl is missing, or if there is not enough memory.
    init(
        limit: Int, progress: @escaping (FetchProgress) -> Void, rule: PeerRule, discardsBody: Bool = false
    ) throws(FetchError.Reason) {
        if let problem = waymark_curl_problem() { throw .noLibrary(String(cString: problem)) }
        guard CurlLibrary.isReady, let handle = curl_easy_init() else {
            throw .connection("libcurl cannot be set up")
        }
        (self.handle, self.progress, self.rule) = (handle, progress, rule)
        reading = (limit, discardsBody)
        words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        check(waymark_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, words))
        // libcurl uses the pointers only in ``run(until:)``, a method of this object, so the object still exists then.
        let own = Unmanaged.passUnretained(self).toOpaque()
        check(
            waymark_curl_set_sink(handle, CURLOPT_HEADERFUNCTION) {
                WebTransfer.receive($0, $1 * $2, $3) { $0.receiveHead($1) }
            })
        check(waymark_curl_set_pointer(handle, CURLOPT_HEADERDATA, own))
        check(
            waymark_curl_set_sink(handle, CURLOPT_WRITEFUNCTION) {
                WebTransfer.receive($0, $1 * $2, $3) { $0.receiveBody($1) }
            })
        check(waymark_curl_set_pointer(handle, CURLOPT_WRITEDATA, own))
        check(
            waymark_curl_set_opener(handle) { context, _, address in
                guard let context, let address else { return CURL_SOCKET_BAD }
                return Unmanaged<WebTransfer>.fromOpaque(context).takeUnretainedValue().open(address)
            })
        check(waymark_curl_set_pointer(handle, CURLOPT_OPENSOCKETDATA, own))
    }

    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(fields)
        words.deallocate()
    }

    func set(_ option: CURLoption, _ value: Int) { check(waymark_curl_set_number(handle, option, value)) }

    /// - Parameter value: the value; nil for libcurl's default.
    func set(_ option: CURLoption, _ value: String?) { check(waymark_curl_set_text(handle, option, value)) }

    /// Adds a header to the request. Leaves it out if the value contains line breaks or other control characters.
    func add(field name: String, _ value: String) {
        guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else { return }
        guard let longer = curl_slist_append(fields, "\(name): \(value)") else { return check(CURLE_OUT_OF_MEMORY) }
        fields = longer
    }

    private func check(_ code: CURLcode) {
        if setting == CURLE_OK { setting = code }
    }

    /// Makes the request one with POST. The body is copied.
    func post(_ body: [UInt8]) {
        set(CURLOPT_POST, 1)
        set(CURLOPT_POSTFIELDSIZE, body.count)
        body.withUnsafeBytes { bytes in
            check(
                waymark_curl_set_pointer(
                    handle, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress)))
        }
    }

    /// Sets the address, and the options that all requests have.
    ///
    /// - Parameters:
    ///   - authorities: the path of a PEM file with all trusted certificates; nil for those that the system trusts.
    ///   - proxy: the URL of the proxy; nil for the environment's.
    func prepare(_ address: WebAddress, authorities: String?, proxy: String?) {
        set(CURLOPT_URL, address.url)
        set(CURLOPT_PATH_AS_IS, 1)
        // libcurl supports more than twenty other protocols, some of which can write.
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        // HTTPFetch follows redirects, because its rules are stricter than libcurl's.
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(CURLOPT_CONNECTTIMEOUT_MS, Self.connectMilliseconds)
        // libcurl must not install signal handlers in a process with several threads.
        set(CURLOPT_NOSIGNAL, 1)
        // A name resolver that does not answer must not delay the end of the transfer.
        set(CURLOPT_QUICK_EXIT, 1)
        if let authorities {
            for option in [CURLOPT_CAINFO, CURLOPT_PROXY_CAINFO] { set(option, authorities) }
            for option in [CURLOPT_CAPATH, CURLOPT_PROXY_CAPATH] { set(option, nil) }
        }
        if let proxy { set(CURLOPT_PROXY, proxy) }
        set(CURLOPT_USERAGENT, "waymark")
    }

    /// Waits until the answer is complete or has failed, and blocks the thread meanwhile.
    ///
    /// - Parameter kept: keeps the connection for the next request; nil to close it.
    /// - Returns: the headers, and the body if it should be read.
    func run(
        until deadline: FetchDeadline, over kept: ConnectionCache? = nil
    ) throws(FetchError.Reason) -> (head: WebHead, body: [UInt8]) {
        check(waymark_curl_set_pointer(handle, CURLOPT_HTTPHEADER, fields))
        guard setting == CURLE_OK else { throw failure(setting) }
        let code = try deadline.run(handle, over: kept)
        if let refusal { throw refusal }
        guard let head, code == CURLE_OK || !isBodyWanted else { throw failure(code) }
        return (head, body)
    }

    private func failure(_ code: CURLcode) -> FetchError.Reason {
        FetchError.Reason(
            code, words: String(cString: words), errno: CInt(waymark_curl_number(handle, CURLINFO_OS_ERRNO)),
            proxyStatus: waymark_curl_number(handle, CURLINFO_HTTP_CONNECTCODE))
    }

    // MARK: libcurl's callbacks, on the thread of ``run(until:)``

    /// - Returns: the number of accepted bytes. If it differs from `count`, libcurl ends the transfer.
    private static func receive(
        _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
        _ handler: (WebTransfer, UnsafeRawBufferPointer) -> Bool
    ) -> Int {
        guard let context, count > 0 else { return 0 }
        let transfer = Unmanaged<WebTransfer>.fromOpaque(context).takeUnretainedValue()
        return handler(transfer, UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
    }

    /// Opens a socket for an address that libcurl has resolved, if the rule allows the connection.
    private func open(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        let peer = PeerRule.Peer(address)
        guard let peer, rule.admits(peer) else {
            refusal = PeerRule.refusal(peer?.address ?? "an address of another kind")
            return CURL_SOCKET_BAD
        }
        let (family, type, number) = (address.pointee.family, address.pointee.socktype, address.pointee.protocol)
        return socket(family, type | Int32(SOCK_CLOEXEC.rawValue), number)
    }

    /// Reads one header line. An empty line ends the headers.
    private func receiveHead(_ line: UnsafeRawBufferPointer) -> Bool {
        headBytes += line.count
        guard headBytes <= Self.headLimit else {
            refusal = .connection("the head of its answer is larger than \(Self.headLimit) bytes")
            return false
        }
        // Ignore the empty lines at the end of trailers, which follow the body.
        guard head == nil, line.allSatisfy({ $0 == 0x0d || $0 == 0x0a }) else { return true }
        let status = waymark_curl_number(handle, CURLINFO_RESPONSE_CODE)
        // The final answer follows after an interim answer.
        if (100...199).contains(status) { return true }
        let head = WebHead(status: status, of: handle)
        self.head = head
        // An earlier address of the server may have been refused, but this connection was allowed.
        refusal = nil
        if reading.discards { return true }
        do {
            isBodyWanted = try head.isBodyWanted(within: reading.limit)
        } catch {
            refusal = error
        }
        if isBodyWanted { body.reserveCapacity(min(head.length ?? 0, reading.limit)) }
        return isBodyWanted
    }

    private func receiveBody(_ part: UnsafeRawBufferPointer) -> Bool {
        guard part.count <= reading.limit - body.count else {
            if !reading.discards { refusal = .tooLarge(limit: reading.limit, announced: nil) }
            return false
        }
        body.append(contentsOf: part)
        progress(FetchProgress(bytes: body.count, expected: head?.length))
        return true
    }
}
