// SPDX-License-Identifier: Apache-2.0

/// Fetches a source within bounds on time and size, and again when that may help.
public struct SourceFetcher: Sendable {
    /// What the fetcher takes from the world around it, so that a test can give it another one.
    public struct Surroundings: Sendable {
        public var sleep: @Sendable (Duration) async throws -> Void
        /// From 0 up to 1.
        public var random: @Sendable () -> Double
        /// Unix seconds, for a `Retry-After` that is a date.
        public var now: @Sendable () -> Int
        /// A file with the certificates of all authorities that are trusted, as PEM; nil for those of the system.
        public var authorities: String?
        /// The proxy of every request, as a URL; nil for what `http_proxy`, `https_proxy` and `no_proxy` say.
        public var proxy: String?

        public init(
            sleep: @escaping @Sendable (Duration) async throws -> Void, random: @escaping @Sendable () -> Double,
            now: @escaping @Sendable () -> Int, authorities: String? = nil, proxy: String? = nil
        ) {
            self.sleep = sleep
            self.random = random
            self.now = now
            self.authorities = authorities
            self.proxy = proxy
        }

        /// The system's clocks and generator; the authorities that `CURL_CA_BUNDLE` or `SSL_CERT_FILE` names, as for curl.
        public static let system = Surroundings(
            sleep: { try await Task.sleep(for: $0) }, random: { Double.random(in: 0..<1) },
            now: { System.unixSeconds },
            authorities: System.variable("CURL_CA_BUNDLE") ?? System.variable("SSL_CERT_FILE"))
    }

    public var retry: RetryPolicy
    public var surroundings: Surroundings

    public init(retry: RetryPolicy = RetryPolicy(), surroundings: Surroundings = .system) {
        self.retry = retry
        self.surroundings = surroundings
    }

    /// Fetches the whole body, or learns that it has not changed.
    ///
    /// - Parameters:
    ///   - progress: called now and then with the bytes of the present attempt, from any thread.
    ///   - retrying: called before each wait for another attempt.
    /// - Throws: why the last attempt failed. Nothing of a body that did not come whole is given out.
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
