// SPDX-License-Identifier: Apache-2.0

public import LoadTest

/// A load test of an HTTP interface: requests on connections of HTTP/1.1 that stay open, each with one request under
/// way. A request that finds no free connection waits for one, and its wait counts.
public struct HTTPTest: Sendable {
    public var origin: HTTPOrigin
    /// The status of an answer that counts as done. Others are failures, named by their number: `http_503`.
    public var status: Int
    /// The time limit for an answer, and for a connection to open, in nanoseconds.
    public var timeout: UInt64
    /// Appends the request of a number from 1. May be called several times for a number.
    public var request: @Sendable (UInt64, inout [UInt8]) -> Void

    public init(
        _ origin: HTTPOrigin, status: Int = 200, timeout: UInt64 = 5_000_000_000,
        request: @escaping @Sendable (UInt64, inout [UInt8]) -> Void
    ) {
        (self.origin, self.status, self.timeout, self.request) = (origin, status, timeout, request)
    }

    /// Opens a connection for each client in an open loop, and for each place in the window in a closed one.
    ///
    /// - Throws: ``HTTPLoadError/nobody(_:)`` if the connections cannot be opened. Later failures are counted.
    public func run(_ shape: LoadShape, _ watch: LoadWatch) async throws -> LoadResult {
        try await LoadThread.run {
            var (shape, connections) = (shape, shape.clients)
            if case .closed(let window) = shape.loop {
                connections *= max(1, window)
                shape.loop = .closed(window: connections)
            }
            // All connections are behind one port, so that each request takes the first that is free.
            shape.clients = 1
            let port = try HTTPPort(self, connections: connections)
            return try RequestGenerator(watch: watch, timeout: timeout).run([port], shape)
        }
    }

    /// Asks once, so that a test of nobody, or of another server, ends with a sentence before its load.
    ///
    /// - Throws: ``HTTPLoadError`` for any answer that would be a failure.
    public func meet(_ stop: LoadStop) async throws {
        let once = LoadShape(loop: .closed(window: 1), end: .count(1), warmUp: 0)
        guard let error = try await run(once, LoadWatch(stop: stop)).figures.errors.first?.key else { return }
        switch error {
        case HTTPPort.timedOut: throw HTTPLoadError.noAnswer
        case HTTPPort.lost: throw HTTPLoadError.closed
        default: throw Int(error.dropFirst(HTTPPort.refused.count)).map { HTTPLoadError.status($0) } ?? .brokenReply
        }
    }
}

/// Why an HTTP interface cannot be tested.
public enum HTTPLoadError: Error, Hashable, CustomStringConvertible {
    /// No connection to this address can be made.
    case nobody(String)
    case closed
    case brokenReply
    case noAnswer
    /// The answer has this status.
    case status(Int)
    /// The stream was ended by the service with an event.
    case ended

    /// Whether the service does not let this client in.
    public var isRefusal: Bool { [.status(401), .status(403)].contains(self) }

    public var description: String {
        switch self {
        case .nobody(let address):
            "Nobody listens at http://\(address), or there is no way to it: start waymark up or waymark-query with "
                + "web.listen first, or check the address."
        case .closed: "The HTTP interface closed a connection."
        case .brokenReply: "An answer is not HTTP/1.1 as it should be: check that the address is the HTTP interface."
        case .noAnswer: "No answer over HTTP came in time."
        case .status(401):
            "The HTTP interface asks for a key: make one with \"waymark keys new FILE --http\", and give --token FILE."
        case .status(let status): "The HTTP interface refused a request with the status \(status)."
        case .ended: "The HTTP interface ended a stream: its key has ended, or the collection was put back."
        }
    }
}
