// SPDX-License-Identifier: Apache-2.0

import CCurl

/// The status and the headers of an HTTP answer.
struct WebHead {
    let status: Int
    let location: String?
    let retryAfter: String?
    let encoding: String?
    /// The maximum length that is believed: 2⁵³ bytes.
    private static let longest = 1 << 53
    /// The announced length of the body in bytes; nil if there is none or it is malformed.
    let length: Int?
    let validators: FetchValidators

    /// - Parameter handle: libcurl's handle, which keeps the headers until the next answer.
    init(status: Int, of handle: UnsafeMutableRawPointer) {
        self.status = status
        location = Self.field("Location", handle)
        retryAfter = Self.field("Retry-After", handle)
        encoding = Self.field("Content-Encoding", handle)?.lowercased()
        length = Self.field("Content-Length", handle).flatMap { Int($0) }.flatMap {
            $0 >= 0 ? min($0, Self.longest) : nil
        }
        validators = FetchValidators(
            etag: FetchValidators.bounded(Self.field("ETag", handle)),
            lastModified: FetchValidators.bounded(Self.field("Last-Modified", handle)))
    }

    /// Whether the body of the answer should be read.
    func isBodyWanted(within limit: Int) throws(FetchError.Reason) -> Bool {
        guard status == 200 || status == 203 else { return false }
        // Some servers store files packed with gzip and send them in this form whatever the request asks for. The
        // formats unpack gzip with a limit of their own.
        if let encoding, !["identity", "gzip", "x-gzip"].contains(encoding) {
            throw .encoded(encoding.shortened(to: 20))
        }
        if let length, length > limit { throw .tooLarge(limit: limit, announced: length) }
        return true
    }

    /// Returns the first header with this name in the final answer, without interim answers and trailers; nil if none.
    private static func field(_ name: String, _ handle: UnsafeMutableRawPointer) -> String? {
        var field: UnsafeMutablePointer<curl_header>?
        guard curl_easy_header(handle, name, 0, UInt32(CURLH_HEADER), -1, &field) == CURLHE_OK,
            let value = field?.pointee.value
        else { return nil }
        return String(cString: value)
    }
}
