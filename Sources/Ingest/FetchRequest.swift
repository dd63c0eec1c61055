// SPDX-License-Identifier: Apache-2.0

/// What to fetch, within which bounds.
public struct FetchRequest: Hashable, Sendable {
    public var location: SourceLocation
    /// From the last fetch: if nothing has changed since, the answer is ``FetchResult/notModified``.
    public var validators: FetchValidators
    public var limits: FetchLimits

    public init(
        location: SourceLocation, validators: FetchValidators = FetchValidators(), limits: FetchLimits = FetchLimits()
    ) {
        self.location = location
        self.validators = validators
        self.limits = limits
    }
}

/// What identifies the version of a body.
public struct FetchValidators: Hashable, Sendable {
    /// The `ETag` header as it came; of a file, made from its size and time.
    public var etag: String?
    /// The `Last-Modified` header as it came.
    public var lastModified: String?

    public init(etag: String? = nil, lastModified: String? = nil) {
        self.etag = etag
        self.lastModified = lastModified
    }

    var isEmpty: Bool { etag == nil && lastModified == nil }
}

/// Bounds on one attempt.
public struct FetchLimits: Hashable, Sendable {
    /// From the first byte sent to the last one received, redirects included.
    public var timeout: Duration
    public var maxBytes: Int
    public var maxRedirects: Int

    public init(timeout: Duration = .seconds(30), maxBytes: Int = 64 << 20, maxRedirects: Int = 5) {
        self.timeout = timeout
        self.maxBytes = maxBytes
        self.maxRedirects = maxRedirects
    }
}

/// What a fetch brought.
public enum FetchResult: Hashable, Sendable {
    case fetched(FetchedBody)
    /// The body is still the one that the validators came with.
    case notModified
}

/// A complete body, and what to ask with next time.
public struct FetchedBody: Hashable, Sendable {
    public var bytes: [UInt8]
    public var validators: FetchValidators

    public init(bytes: [UInt8], validators: FetchValidators) {
        self.bytes = bytes
        self.validators = validators
    }
}

/// How far a fetch has come.
public struct FetchProgress: Hashable, Sendable {
    public var bytes: Int
    /// As announced; nil where nothing was.
    public var expected: Int?

    public init(bytes: Int, expected: Int?) {
        self.bytes = bytes
        self.expected = expected
    }
}

/// An attempt that failed, and that another one follows.
public struct FetchRetry: Sendable {
    /// The number of the next attempt, counted from 1.
    public var attempt: Int
    public var of: Int
    /// Until the next attempt.
    public var wait: Duration
    /// Why the last one failed.
    public var reason: FetchError.Reason
}
