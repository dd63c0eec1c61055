// SPDX-License-Identifier: Apache-2.0

import CCurl

/// One attempt to fetch a source by HTTP, including redirects.
struct HTTPFetch: Sendable {
    let request: FetchRequest
    let surroundings: SourceFetcher.Surroundings

    /// Runs the attempt. Its time limit starts now.
    func run(
        from start: WebAddress, _ progress: @escaping @Sendable (FetchProgress) -> Void
    ) async throws(FetchError.Reason) -> FetchResult {
        let deadline = FetchDeadline(timeout: request.limits.timeout)
        let result = await withTaskCancellationHandler {
            await OwnThread.run(failing: FetchError.Reason.connection) { () throws(FetchError.Reason) -> FetchResult in
                CurlLibrary.blockBrokenPipes()
                return try follow(start, deadline, progress)
            }
        } onCancel: {
            deadline.cancel()
        }
        return try result.get()
    }

    private func follow(
        _ start: WebAddress, _ deadline: FetchDeadline, _ progress: @escaping (FetchProgress) -> Void
    ) throws(FetchError.Reason) -> FetchResult {
        var address = start
        var rule = PeerRule(start, surroundings)
        for _ in 0...FetchLimits.maxRedirects {
            let transfer = try WebTransfer(limit: request.limits.maxBytes, progress: progress, rule: rule)
            ask(address, transfer)
            let answer = try transfer.run(until: deadline)
            rule = transfer.rule
            switch answer.head.status {
            case 200, 203:
                return .fetched(FetchedBody(bytes: answer.body, validators: answer.head.validators))
            case 304 where !request.validators.isEmpty: return .notModified
            case 301, 302, 303, 307, 308:
                guard let location = answer.head.location else { throw .redirectRefused("the server named no address") }
                address = try address.following(location)
                try rule.redirected(to: address)
            default:
                let retryAfter = answer.head.retryAfter.flatMap { RetryAfter.read($0, now: surroundings.now()) }
                throw .status(answer.head.status, retryAfter: retryAfter)
            }
        }
        throw .tooManyRedirects(limit: FetchLimits.maxRedirects)
    }

    private func ask(_ address: WebAddress, _ transfer: WebTransfer) {
        transfer.prepare(address, authorities: surroundings.authorities, proxy: surroundings.proxy)
        transfer.add(field: "Accept", "application/geo+json, application/json, */*;q=0.1")
        // Without compression the body is never larger than the received bytes.
        transfer.add(field: "Accept-Encoding", "identity")
        if let etag = request.validators.etag { transfer.add(field: "If-None-Match", etag) }
        if let date = request.validators.lastModified { transfer.add(field: "If-Modified-Since", date) }
        if let credentials = address.credentials {
            transfer.set(CURLOPT_USERNAME, credentials.user)
            transfer.set(CURLOPT_PASSWORD, credentials.password)
        }
    }
}
