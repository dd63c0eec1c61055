// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Fetches a source within limits on time and size, and repeats attempts that failed.
public struct SourceFetcher: Sendable {
    /// The functions and settings of the environment, which tests replace.
    public struct Surroundings: Sendable {
        public var sleep: @Sendable (Duration) async throws -> Void
        /// Returns a random number of at least 0 and below 1.
        public var random: @Sendable () -> Double
        /// Returns the seconds since 1970, for a `Retry-After` header with a date.
        public var now: @Sendable () -> Int
        /// The path of a PEM file with all trusted certificates; nil for those that the system trusts.
        public var authorities: String?
        /// The URL of the proxy for all requests; nil to use `http_proxy`, `https_proxy` and `no_proxy`.
        public var proxy: String?
        /// Returns the reach of an address; nil for a host name.
        public var reach: @Sendable (String) -> AddressReach? = { AddressReach($0) }

        /// The clocks and random numbers of the system. The certificates are those in `CURL_CA_BUNDLE` or
        /// `SSL_CERT_FILE`, as for curl.
        public static let system = Surroundings(
            sleep: { try await Task.sleep(for: $0) }, random: { Double.random(in: 0..<1) },
            now: { time(nil) },
            authorities: System.variable("CURL_CA_BUNDLE") ?? System.variable("SSL_CERT_FILE"))
    }

    public var retry: RetryPolicy
    public var surroundings: Surroundings

    public init(retry: RetryPolicy = .standard, surroundings: Surroundings = .system) {
        (self.retry, self.surroundings) = (retry, surroundings)
    }

    /// Fetches the whole body, or learns that it has not changed.
    ///
    /// - Parameters:
    ///   - progress: called on any thread with the number of bytes received in the present attempt.
    ///   - retrying: called before the wait for each further attempt.
    /// - Throws: the error of the last attempt. An incomplete body is never returned.
    public func fetch(
        _ request: FetchRequest, progress: @escaping @Sendable (FetchProgress) -> Void = { _ in },
        retrying: @Sendable (FetchRetry) -> Void = { _ in }
    ) async throws(FetchError) -> FetchResult {
        var attempt = 1
        while true {
            do {
                return try await fetchOnce(request, progress)
            } catch {
                guard error.isRetryable,
                    let wait = retry.wait(
                        afterAttempt: attempt, retryAfter: error.retryAfter, random: surroundings.random())
                else { throw FetchError(location: request.location, reason: error) }
                retrying(FetchRetry(attempt: attempt + 1, of: retry.attempts, wait: wait, reason: error))
                do {
                    try await surroundings.sleep(wait)
                } catch {
                    throw FetchError(location: request.location, reason: .cancelled)
                }
                attempt += 1
            }
        }
    }

    private func fetchOnce(
        _ request: FetchRequest, _ progress: @escaping @Sendable (FetchProgress) -> Void
    ) async throws(FetchError.Reason) -> FetchResult {
        if Task.isCancelled { throw .cancelled }
        switch request.location.target {
        case .file(let path):
            return try FileFetch(path: path, request: request).run(progress)
        case .stream(let descriptor):
            let reader = DescriptorReader(descriptor: descriptor, limit: request.limits.maxBytes)
            return .fetched(FetchedBody(bytes: try await reader.readApart(progress), validators: FetchValidators()))
        case .web(let address):
            return try await HTTPFetch(request: request, surroundings: surroundings).run(from: address, progress)
        }
    }
}
