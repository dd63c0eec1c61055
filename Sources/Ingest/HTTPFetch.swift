// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix

/// One attempt over HTTP: the redirects and the answer.
struct HTTPFetch: Sendable {
    let request: FetchRequest
    let now: @Sendable () -> Int

    /// One for the process, which never shuts it down: connections are shared, and idle ones close by themselves.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout.connect = .seconds(10)
        // Whether to try again is decided in one place, by ``RetryPolicy``.
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    func run(
        from start: WebAddress, _ progress: @Sendable (FetchProgress) -> Void
    ) async throws(FetchError.Reason) -> FetchResult {
        var address = start
        for _ in 0...max(0, request.limits.maxRedirects) {
            let response = try await send(to: address)
            switch response.status.code {
            case 200, 203: return .fetched(try await body(of: response, progress))
            case 304 where !request.validators.isEmpty: return .notModified
            case 301, 302, 303, 307, 308:
                guard let location = response.headers.first(name: "Location") else {
                    throw .redirectRefused("it names no address")
                }
                address = try address.following(location)
            default:
                let retryAfter = response.headers.first(name: "Retry-After").flatMap { RetryAfter.read($0, now: now()) }
                throw .status(Int(response.status.code), retryAfter: retryAfter)
            }
        }
        throw .tooManyRedirects(limit: request.limits.maxRedirects)
    }

    private func send(to address: WebAddress) async throws(FetchError.Reason) -> HTTPClientResponse {
        var message = HTTPClientRequest(url: address.url)
        message.headers.add(name: "Accept", value: "application/geo+json, application/json, */*;q=0.1")
        // Not compressed, so that a body can never become larger than what came over the wire.
        message.headers.add(name: "Accept-Encoding", value: "identity")
        message.headers.add(name: "User-Agent", value: "waymark")
        if let etag = request.validators.etag { message.headers.add(name: "If-None-Match", value: etag) }
        if let date = request.validators.lastModified { message.headers.add(name: "If-Modified-Since", value: date) }
        if let credentials = address.credentials {
            message.setBasicAuth(username: credentials.user, password: credentials.password)
        }
        do {
            return try await Self.client.execute(message, deadline: .distantFuture)
        } catch {
            throw FetchError.Reason(error)
        }
    }

    private func body(
        of response: HTTPClientResponse, _ progress: @Sendable (FetchProgress) -> Void
    ) async throws(FetchError.Reason) -> FetchedBody {
        let encoding = response.headers.first(name: "Content-Encoding")?.lowercased() ?? "identity"
        guard encoding == "identity" else { throw .encoded(encoding.shortened(to: 20)) }
        let limit = request.limits.maxBytes
        let announced = response.headers.first(name: "Content-Length").flatMap { Int($0) }
        if let announced, announced > limit { throw .tooLarge(limit: limit, announced: announced) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(announced ?? 0)
        do {
            for try await part in response.body {
                guard bytes.count + part.readableBytes <= limit else {
                    throw FetchError.Reason.tooLarge(limit: limit, announced: nil)
                }
                bytes.append(contentsOf: part.readableBytesView)
                progress(FetchProgress(bytes: bytes.count, expected: announced))
            }
        } catch {
            throw FetchError.Reason(error)
        }
        return FetchedBody(
            bytes: bytes,
            validators: FetchValidators(
                etag: response.headers.first(name: "ETag"),
                lastModified: response.headers.first(name: "Last-Modified")))
    }
}

extension FetchError.Reason {
    /// What an error of the HTTP client means here.
    init(_ error: any Error) {
        switch error {
        case let reason as Self: self = reason
        case is CancellationError: self = .cancelled
        case let error as HTTPClientError: self.init(error)
        case let error as NIOConnectionError: self = .connection(Self.words(error))
        case let error as IOError: self = .connection(Self.words(errno: error.errnoCode))
        case HTTPParserError.invalidEOFState: self = .cutOff
        case is HTTPParserError: self = .connection("its answer is no HTTP")
        default: self = .connection(String(describing: error).shortened(to: 200))
        }
    }

    /// Nobody wants to read a list of the addresses that a name has.
    private static func words(_ error: NIOConnectionError) -> String {
        let failures = error.connectionErrors.compactMap { ($0.error as? IOError)?.errnoCode }
        if failures.contains(ECONNREFUSED) { return words(errno: ECONNREFUSED) }
        if failures.isEmpty, error.dnsAError != nil || error.dnsAAAAError != nil {
            return "no machine of that name is known, so check the address"
        }
        return failures.first.map(words) ?? error.description.shortened(to: 200)
    }

    private static func words(errno code: CInt) -> String {
        code == ECONNREFUSED
            ? "nobody listens there, so check the address and its port" : String(cString: strerror(code))
    }

    private init(_ error: HTTPClientError) {
        switch error {
        case .cancelled: self = .cancelled
        case .remoteConnectionClosed, .bodyLengthMismatch: self = .cutOff
        case .connectTimeout, .getConnectionFromPoolTimeout, .tlsHandshakeTimeout:
            self = .connection("it does not answer")
        default: self = .connection(error.description.shortened(to: 200))
        }
    }
}
