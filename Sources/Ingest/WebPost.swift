// SPDX-License-Identifier: Apache-2.0

import CCurl
package import IPAddresses
import Synchronization

/// Sends bodies by HTTP to an address that a stranger chose. Follows no redirects, and discards the answers' bodies.
package final class WebPost: Sendable {
    /// The operator's limits.
    package struct Limits: Sendable {
        /// The time limit of one request with its answer.
        package var timeout = Duration.seconds(10)
        /// The addresses that are allowed although not all the world can reach them.
        package var allowed: [AddressBlock] = []
        /// The URL of the proxy for all requests; nil for none. The environment's proxies are not used, because a proxy
        /// connects to addresses that are not checked here.
        package var proxy: String?
        /// Returns the reach of an address; nil for a host name. Tests set another one.
        package var reach: @Sendable (String) -> AddressReach? = { AddressReach($0) }

        package init() {}
    }

    package struct Answer: Sendable {
        package let status: Int
        /// The wait that the server asks for; nil if it asks for none.
        package let retryAfter: Duration?
    }

    /// The maximum number of bytes of an answer's body that are read, so that the connection can be used again.
    private static let answerBytes = 64 << 10

    private let address: WebAddress
    private let limits: Limits
    /// The connection between two requests; nil after ``rest()``. Requests are made one after the other.
    private let cache = Mutex<ConnectionCache?>(nil)

    /// - Throws: an error if the text is no `http:` or `https:` URL.
    package init(to url: String, _ limits: Limits) throws(SourceLocationError) {
        (address, self.limits) = (try WebAddress(url), limits)
    }

    /// Closes the connection, as nothing more is to be sent for now.
    package func rest() { cache.withLock { $0 = nil } }

    /// Sends a body with POST.
    ///
    /// - Parameter fields: the headers of the request.
    package func send(_ body: [UInt8], fields: [(name: String, value: String)]) async -> Result<
        Answer, FetchError.Reason
    > {
        let deadline = FetchDeadline(timeout: limits.timeout)
        return await withTaskCancellationHandler {
            await OwnThread.run(failing: FetchError.Reason.connection) { () throws(FetchError.Reason) -> Answer in
                CurlLibrary.blockBrokenPipes()
                return try self.exchange(body, fields, deadline)
            }
        } onCancel: {
            deadline.cancel()
        }
    }

    private func exchange(
        _ body: [UInt8], _ fields: [(name: String, value: String)], _ deadline: FetchDeadline
    ) throws(FetchError.Reason) -> Answer {
        let rule = PeerRule(allowing: limits.allowed, isProxied: limits.proxy != nil, reach: limits.reach)
        if limits.proxy != nil { try rule.check(address) }
        let transfer = try WebTransfer(limit: Self.answerBytes, progress: { _ in }, rule: rule, discardsBody: true)
        let system = SourceFetcher.Surroundings.system
        // An empty text, unlike none, keeps libcurl from the environment's variables.
        transfer.prepare(address, authorities: system.authorities, proxy: limits.proxy ?? "")
        transfer.set(CURLOPT_NOPROXY, "")
        for field in fields { transfer.add(field: field.name, field.value) }
        // Without a value the header is left out, so that a server which ignores it delays nothing.
        transfer.add(field: "Expect", "")
        transfer.post(body)
        let kept = cache.withLock { cache in
            if cache == nil { cache = ConnectionCache() }
            return cache
        }
        let head: WebHead
        do throws(FetchError.Reason) {
            head = try transfer.run(until: deadline, over: kept).head
        } catch {
            // The address behind a name may be known in this network only.
            guard case .notPublic = error else { throw error }
            throw PeerRule.refusal(address.origin.host)
        }
        let retryAfter = head.retryAfter.flatMap { RetryAfter.read($0, now: system.now()) }
        return Answer(status: head.status, retryAfter: retryAfter)
    }
}
