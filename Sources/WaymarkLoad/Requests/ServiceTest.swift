// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
public import Landmarks
public import LoadTest
import SwiftProtobuf
import WaymarkProtocol
public import ZeroMQ

/// A load test of a running service, which sends it requests of the Waymark protocol.
public struct ServiceTest: Sendable {
    public var endpoint: String
    /// The user in whose name the test writes.
    public var user: String
    /// The security of the connections; nil for connections without identification and encryption.
    public var security: SocketSecurity?
    /// The time limit for an answer in nanoseconds.
    public var timeout: UInt64
    /// The position that every answer must reflect, or a later one, as after a write of the same client; nil for any.
    public var atLeast: Position?
    /// Makes new operations for each run, so that no run repeats the writes of an earlier run.
    public var operations: @Sendable () -> [WeightedOperation]

    public init(
        endpoint: String, user: String, timeout: UInt64 = 5_000_000_000,
        operations: @escaping @Sendable () -> [WeightedOperation]
    ) {
        (self.endpoint, self.user, self.timeout, self.operations) = (endpoint, user, timeout, operations)
    }

    public func run(_ shape: LoadShape, _ watch: LoadWatch) async throws -> LoadResult {
        try await LoadThread.run {
            let context = try Context(maxSockets: shape.clients + 16)
            let mix = OperationMix(operations(), seed: shape.seed)
            let ports = try (0..<shape.clients).map { _ in
                try ServicePort(
                    context, endpoint: endpoint, user: user, security: security, atLeast: atLeast, operations: mix,
                    timeout: timeout)
            }
            var generator = RequestGenerator(watch: watch, timeout: timeout)
            // A single operation is the whole load, so it need not be counted separately.
            if mix.names.count > 1 { generator.parts = mix.names }
            var result = try generator.run(ports, shape)
            result.requestBytes = mix.requestBytes
            return result
        }
    }
}

/// A connection to a service as the protocol describes it: a DEALER socket whose requests are sent once.
///
/// A client would repeat a request without an answer. The generator does not: it has already taken too long.
final class ServicePort: RequestPort {
    private let socket: Socket
    private let signature = Signature(.request).bytes
    private let client: UUIDv7
    /// The encoded `RequestHeader` without its number. The number is appended, because fields may come in any order.
    private let header: [UInt8]
    private var numbered = WireWriter()
    private let operations: OperationMix
    /// Stores the intended times of the requests; nil if nobody asks for them.
    var times: SendTimes?
    /// The numbers of the requests that were executed; empty without ``times``.
    private(set) var acknowledged: [UInt64] = []
    private var incoming = Message()
    private var outgoing = Message()

    /// - Parameters:
    ///   - atLeast: the position that every answer must reflect, or a later one; nil for any position.
    ///   - operations: the operations, which the ports of one generator share.
    ///   - timeout: the time limit of a request in nanoseconds, which is also sent to the service.
    init(
        _ context: Context, endpoint: String, user: String, security: SocketSecurity? = nil, atLeast: Position? = nil,
        operations: OperationMix, timeout: UInt64
    ) throws(ZeroMQError) {
        self.operations = operations
        var options = SocketOptions.waymarkClient(of: endpoint, security)
        // A request may have some hundred kilobytes. One that the socket refuses is sent later, and counts as late.
        options.sendHighWaterMark = 1_000
        socket = try Socket(.dealer, context: context, options: options)
        let client = UUIDv7(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
        self.client = client
        header =
            WireRequestHeader.with {
                $0.client = client.wire
                $0.timeoutMs = UInt32(clamping: max(1, timeout / 1_000_000))
                $0.user = user
                if let atLeast { $0.atLeast = atLeast.wire }
            }.encoded
        try socket.connect(endpoint)
    }

    func join(_ poller: inout Poller) { poller.add(socket) }
    func prepare(_ number: UInt64) { operations.prepare(number) }
    var part: Int { operations.part }

    func send(_ number: UInt64, intended: UInt64) throws(ZeroMQError) -> Bool {
        operations.prepare(number)
        times?.note(number, intended)
        numbered.removeAll()
        header.withUnsafeBytes { numbered.put($0) }
        numbered.number(RequestHeaderField.sequence, operations.sequence(number, part: part))
        outgoing.removeAll()
        signature.withUnsafeBytes { outgoing.append(copying: $0) }
        numbered.bytes.withUnsafeBytes { outgoing.append(copying: $0) }
        operations.body.withUnsafeBytes { outgoing.append(copying: $0) }
        let bytes = outgoing.totalByteCount
        guard try socket.send(&outgoing) == .sent else { return false }
        operations.hasSent(bytes)
        return true
    }

    func receive() throws(ZeroMQError) -> RequestAnswer? {
        while try socket.receive(into: &incoming) {
            guard incoming.count == 3,
                incoming.withUnsafeBytes(at: 0, { Signature($0) })?.kind == .answer,
                let sequence = incoming.withUnsafeBytes(at: 1, { Self.sequence($0, for: client) }),
                let (number, part) = operations.read(sequence: sequence)
            else { continue }
            let bytes = incoming.totalByteCount
            let fault = incoming.withUnsafeBytes(at: 2) { operations.fault(part, ReplyReader($0)) }
            if fault == nil, times != nil { acknowledged.append(number) }
            return RequestAnswer(number: number, bytes: bytes, error: fault)
        }
        return nil
    }

    /// Reads the number of the answered request in an encoded `ReplyHeader`; nil if the answer is not for the client.
    static func sequence(_ header: UnsafeRawBufferPointer, for client: UUIDv7) -> UInt64? {
        var (isOurs, sequence): (Bool, UInt64) = (false, 0)
        var fields = WireFields(header)
        while let (field, value) = fields.next() {
            switch (ReplyHeaderField(rawValue: field), value) {
            case (.client, .bytes(let bytes)): isOurs = UUIDv7(bytes: bytes) == client
            case (.sequence, .number(let number)): sequence = number
            default: break
            }
            // Services write both first, so the rest of the header is hardly ever read.
            if isOurs, sequence > 0 { return sequence }
        }
        return nil
    }
}

extension SocketOptions {
    static func waymarkClient(of endpoint: String, _ security: SocketSecurity?) -> SocketOptions {
        var options = SocketOptions.client
        options.maxMessageSize = WaymarkProtocol.messageBytes
        (options.security, options.ipv6) = (security, EndpointFamily.isIPv6(endpoint))
        return options
    }
}
