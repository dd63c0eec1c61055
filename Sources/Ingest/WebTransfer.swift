// SPDX-License-Identifier: Apache-2.0

import CCurl
import Glibc

/// One HTTP request with libcurl, and its answer. It is used only on the thread that created it.
final class WebTransfer {
    /// The most bytes in the head of an answer, including interim answers.
    private static let headLimit = 256 << 10

    private let handle: UnsafeMutableRawPointer
    private let limit: Int
    private let progress: (FetchProgress) -> Void
    private let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private var fields: UnsafeMutablePointer<curl_slist>?
    /// The result of the first option that libcurl refused.
    private var setting = CURLE_OK

    /// The rule about machines, asked before each connection.
    private(set) var rule: PeerRule
    private var headBytes = 0
    private var head: WebHead?
    private var isBodyWanted = false
    private var body: [UInt8] = []
    /// The reason to refuse a connection or an answer.
    private var refusal: FetchError.Reason?

    /// - Parameters:
    ///   - limit: the most bytes of a body.
    ///   - rule: the machines to which it may connect.
    ///   - progress: called as the body arrives.
    /// - Throws: an error if memory is short.
    init(
        limit: Int, progress: @escaping (FetchProgress) -> Void, rule: PeerRule
    ) throws(FetchError.Reason) {
        guard CurlLibrary.isReady, let handle = curl_easy_init() else {
            throw .connection("libcurl cannot be set up")
        }
        (self.handle, self.limit, self.progress, self.rule) = (handle, limit, progress, rule)
        words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        check(waymark_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, words))
        // The pointers are used only in ``run(until:)``, a method of this object, so the object outlives their use.
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

    /// Adds a header field to the request. A value with line breaks or other control characters is left out.
    func add(field name: String, _ value: String) {
        guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else { return }
        guard let longer = curl_slist_append(fields, "\(name): \(value)") else { return check(CURLE_OUT_OF_MEMORY) }
        fields = longer
    }

    private func check(_ code: CURLcode) {
        if setting == CURLE_OK { setting = code }
    }

    /// Blocks until the answer is complete or has failed.
    ///
    /// - Returns: the head, and the body if it was wanted.
    func run(until deadline: FetchDeadline) throws(FetchError.Reason) -> (head: WebHead, body: [UInt8]) {
        check(waymark_curl_set_pointer(handle, CURLOPT_HTTPHEADER, fields))
        guard setting == CURLE_OK else { throw failure(setting) }
        let code = try deadline.run(handle)
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

    /// - Returns: the number of accepted bytes. libcurl ends the transfer if it differs from `count`.
    private static func receive(
        _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
        _ handler: (WebTransfer, UnsafeRawBufferPointer) -> Bool
    ) -> Int {
        guard let context, count > 0 else { return 0 }
        let transfer = Unmanaged<WebTransfer>.fromOpaque(context).takeUnretainedValue()
        return handler(transfer, UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
    }

    /// Opens a socket to an address that libcurl has resolved, if the rule admits it.
    private func open(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        let peer = PeerRule.Peer(address)
        guard let peer, rule.admits(peer) else {
            refusal = PeerRule.refusal(peer?.address ?? "an address of another kind")
            return CURL_SOCKET_BAD
        }
        let (family, type, number) = (address.pointee.family, address.pointee.socktype, address.pointee.protocol)
        return socket(family, type | Int32(SOCK_CLOEXEC.rawValue), number)
    }

    /// Processes one header line. An empty line ends the head.
    private func receiveHead(_ line: UnsafeRawBufferPointer) -> Bool {
        headBytes += line.count
        guard headBytes <= Self.headLimit else {
            refusal = .connection("the head of its answer is larger than \(Self.headLimit) bytes")
            return false
        }
        // Empty lines also end trailers, which follow the body: ignore these.
        guard head == nil, line.allSatisfy({ $0 == 0x0d || $0 == 0x0a }) else { return true }
        let status = waymark_curl_number(handle, CURLINFO_RESPONSE_CODE)
        // After an interim answer the final one follows.
        if (100...199).contains(status) { return true }
        let head = WebHead(status: status, of: handle)
        self.head = head
        // One address of the server may have been refused; but another one was connected.
        refusal = nil
        do {
            isBodyWanted = try head.isBodyWanted(within: limit)
        } catch {
            refusal = error
        }
        if isBodyWanted { body.reserveCapacity(min(head.length ?? 0, limit)) }
        return isBodyWanted
    }

    private func receiveBody(_ part: UnsafeRawBufferPointer) -> Bool {
        guard part.count <= limit - body.count else {
            refusal = .tooLarge(limit: limit, announced: nil)
            return false
        }
        body.append(contentsOf: part)
        progress(FetchProgress(bytes: body.count, expected: head?.length))
        return true
    }
}
