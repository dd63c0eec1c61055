// SPDX-License-Identifier: Apache-2.0

import CCurl

/// What the head of an answer says, as it came.
struct WebHead {
    let status: Int
    let location: String?
    let retryAfter: String?
    let encoding: String?
    /// Nil where none was announced that can be read.
    let length: Int?
    let validators: FetchValidators

    /// - Parameter handle: libcurl's, which keeps the fields of the answer until the next one.
    init(status: Int, of handle: UnsafeMutableRawPointer) {
        self.status = status
        location = Self.field("Location", handle)
        retryAfter = Self.field("Retry-After", handle)
        encoding = Self.field("Content-Encoding", handle)?.lowercased()
        length = Self.field("Content-Length", handle).flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
        validators = FetchValidators(
            etag: Self.field("ETag", handle), lastModified: Self.field("Last-Modified", handle))
    }

    /// The first field of that name in the answer itself, not in one before it or in what follows the body.
    private static func field(_ name: String, _ handle: UnsafeMutableRawPointer) -> String? {
        var field: UnsafeMutablePointer<curl_header>?
        guard curl_easy_header(handle, name, 0, UInt32(CURLH_HEADER), -1, &field) == CURLHE_OK,
            let value = field?.pointee.value
        else { return nil }
        return String(cString: value)
    }
}
