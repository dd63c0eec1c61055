// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Fetches a source within limits on time and size, and repeats failed attempts.
public struct SourceFetcher: Sendable {
    /// The parts of the fetcher's environment that tests replace.
    public struct Surroundings: Sendable {
        public var sleep: @Sendable (Duration) async throws -> Void
        /// Makes a random number of at least 0 and below 1.
        public var random: @Sendable () -> Double
        /// The seconds since 1970, for a `Retry-After` header with a date.
        public var now: @Sendable () -> Int
        /// The path of a PEM file with all trusted certificates; nil for the system's.
        public var authorities: String?
        /// The URL of the proxy for every request; nil to use `http_proxy`, `https_proxy` and `no_proxy`.
        public var proxy: String?
        /// The reach of an address; nil for a name.
        public var reach: @Sendable (String) -> AddressReach? = { AddressReach($0) }

        /// The system's clocks and random numbers. Trusts the certificates in `CURL_CA_BUNDLE` or `SSL_CERT_FILE`, as
        /// curl does.
        public static let system = Surroundings(
            sleep: { try await Task.sleep(for: $0) }, random: { Double.random(in: 0..<1) },
            now: { time(nil) },
            authorities: System.variable("CURL_CA_BUNDLE") ?? System.variable("SSL_CERT_FILE"))
    }

    public var retry: RetryPolicy
    public var surroundings: Surroundings

    public init(retry: RetryPolicy = .standard, surroundings: Surroundings = .system) {
        self.retry = retry
        self.surroundings = surroundings
    }

    /// Fetches the whole body, or finds that it has not changed.
    ///
    /// - Parameters:
    ///   - progress: called from any thread with the number of bytes received in the current attempt.
    ///   - retrying: called before each wait for another attempt.
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
