// SPDX-License-Identifier: Apache-2.0

import CCurl

/// The head of an HTTP answer.
struct WebHead {
    let status: Int
    let location: String?
    let retryAfter: String?
    let encoding: String?
    /// The greatest length that is believed: 2⁵³ bytes.
    private static let longest = 1 << 53
    /// The announced length; nil if there is none, or if it is malformed.
    let length: Int?
    let validators: FetchValidators

    /// - Parameter handle: libcurl's handle, which keeps the header fields until the next answer.
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

    /// Whether the answer has a body to read.
    func isBodyWanted(within limit: Int) throws(FetchError.Reason) -> Bool {
        guard status == 200 || status == 203 else { return false }
        // Some stores keep files packed and send them so, whatever the request says. Formats unpack gzip within their
        // own limit.
        if let encoding, !["identity", "gzip", "x-gzip"].contains(encoding) {
            throw .encoded(encoding.shortened(to: 20))
        }
        if let length, length > limit { throw .tooLarge(limit: limit, announced: length) }
        return true
    }

    /// The first field with this name in the final answer; fields of interim answers and trailers do not count.
    private static func field(_ name: String, _ handle: UnsafeMutableRawPointer) -> String? {
        var field: UnsafeMutablePointer<curl_header>?
        guard curl_easy_header(handle, name, 0, UInt32(CURLH_HEADER), -1, &field) == CURLHE_OK,
            let value = field?.pointee.value
        else { return nil }
        return String(cString: value)
    }
}
