// SPDX-License-Identifier: Apache-2.0

/// The address to fetch, and the limits of the fetch.
public struct FetchRequest: Hashable, Sendable {
    public var location: SourceLocation
    /// The validators of the last fetch. If the body has not changed since then, the result is
    /// ``FetchResult/notModified``.
    public var validators: FetchValidators
    public var limits: FetchLimits

    public init(
        location: SourceLocation, validators: FetchValidators = FetchValidators(), limits: FetchLimits = FetchLimits()
    ) {
        (self.location, self.validators, self.limits) = (location, validators, limits)
    }
}

/// The headers that identify a version of a body.
public struct FetchValidators: Hashable, Sendable {
    /// The `ETag` header, unchanged. For a file it is made from the file's size and time.
    public var etag: String?
    /// The `Last-Modified` header, unchanged.
    public var lastModified: String?

    public init(etag: String? = nil, lastModified: String? = nil) {
        (self.etag, self.lastModified) = (etag, lastModified)
    }

    var isEmpty: Bool { etag == nil && lastModified == nil }

    /// The maximum size of one validator in bytes. A longer validator is dropped, because storage would not keep it and
    /// the server would not accept it.
    public static let mostBytes = 4_096

    static func bounded(_ text: String?) -> String? { text.flatMap { $0.utf8.count <= mostBytes ? $0 : nil } }
}

/// The limits of one attempt.
public struct FetchLimits: Hashable, Sendable {
    /// The time limit from sending the first byte to receiving the last byte, including redirects.
    public var timeout: Duration
    public var maxBytes: Int
    static let maxRedirects = 5

    public init(timeout: Duration = .seconds(30), maxBytes: Int = 64 << 20) {
        (self.timeout, self.maxBytes) = (timeout, maxBytes)
    }
}

/// The result of a fetch.
public enum FetchResult: Hashable, Sendable {
    case fetched(FetchedBody)
    /// The body has not changed since the fetch from which the validators come.
    case notModified
}

/// A complete body, and the validators for the next request.
public struct FetchedBody: Hashable, Sendable {
    public var bytes: [UInt8]
    public var validators: FetchValidators
}

/// The progress of a fetch.
public struct FetchProgress: Hashable, Sendable {
    public var bytes: Int
    /// The announced size in bytes; nil if it is unknown.
    public var expected: Int?
}

/// A failed attempt, after which another one follows.
public struct FetchRetry: Sendable {
    /// The number of the next attempt; the first attempt has the number 1.
    public var attempt: Int
    public var of: Int
    /// The time until the next attempt.
    public var wait: Duration
    /// The error of the last attempt.
    public var reason: FetchError.Reason
}
