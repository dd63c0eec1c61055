// SPDX-License-Identifier: Apache-2.0

public import Logging
public import WaymarkProtocol
public import WaymarkTransport

/// Logs one line for each request at level debug: client and sequence number, kind, result, and duration in
/// microseconds. At other levels it costs next to nothing.
public struct RequestLog {
    /// The maximum number of requests in progress. Beyond it all start times are dropped, and their lines lack the
    /// duration.
    private static let limit = 10_000
    private let logger: Logger
    private var open: [RequestKey: (kind: RequestKind, since: ContinuousClock.Instant)] = [:]

    public init(_ logger: Logger) { self.logger = logger }

    public var isOn: Bool { logger.logLevel <= .debug }

    public mutating func begin(_ key: RequestKey, _ kind: RequestKind) {
        guard isOn else { return }
        if open.count >= Self.limit { open.removeAll(keepingCapacity: true) }
        open[key] = (kind, ContinuousClock.now)
    }

    /// - Parameter result: `ok`, or the name of an error code.
    public mutating func end(_ key: RequestKey, _ result: @autoclosure () -> String) {
        guard isOn else {
            if !open.isEmpty { open.removeAll() }
            return
        }
        var metadata: Logger.Metadata = ["request": "\(key.text)", "result": "\(result())"]
        if let request = open.removeValue(forKey: key) {
            metadata["kind"] = "\(request.kind.name)"
            metadata["us"] = .stringConvertible(Int((ContinuousClock.now - request.since) / .microseconds(1)))
        }
        logger.debug("request", metadata: metadata)
    }

    /// Returns the result in an encoded `Reply`: `ok`, or the name of the error code.
    public static func result(of body: [UInt8]) -> String { ErrorCode(ofReply: body)?.name ?? "ok" }
}

extension RequestKey {
    /// The key as it is logged: `019a…-….7`.
    public var text: String { "\(client).\(sequence)" }
}
