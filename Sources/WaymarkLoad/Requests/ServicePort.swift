// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks
import LoadTest
import SwiftProtobuf
import WaymarkProtocol
import ZeroMQ

/// A connection to a service as the protocol describes it: a DEALER socket whose requests are sent once.
///
/// A client would repeat a request that gets no answer. The generator does not repeat it, because the operation has
/// already taken too long.
final class ServicePort: RequestPort {
    private let socket: Socket
    private let signature = Signature(.request).bytes
    /// The encoded `RequestHeader` without its number. The number is appended, because fields may come in any order.
    private let header: [UInt8]
    private let answer: AnswerHeader
    private var numbered = WireWriter()
    private let operations: OperationMix
    /// Called before each request is sent, with its number and its intended time.
    var asked: ((UInt64, UInt64) -> Void)?
    /// Called for each answer, with the number of its request and whether the request was executed.
    var told: ((UInt64, Bool) -> Void)?
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
        var options = SocketOptions.client
        options.sendHighWaterMark = Self.highWaterMark
        options.maxMessageSize = WaymarkProtocol.messageBytes
        options.security = security
        options.ipv6 = EndpointFamily.isIPv6(endpoint)
        socket = try Socket(.dealer, context: context, options: options)
        var random = SystemRandomNumberGenerator()
        let client = UUIDv7(high: random.next(), low: random.next())
        answer = AnswerHeader(client: client)
        header =
            WireRequestHeader.with {
                $0.client = client.wire
                $0.timeoutMs = UInt32(clamping: max(1, timeout / 1_000_000))
                $0.user = user
                if let atLeast { $0.atLeast = atLeast.wire }
            }.encoded
        try socket.connect(endpoint)
    }

    /// The maximum number of messages in the socket's send queue. A request may have some hundred kilobytes. A message
    /// that the socket does not accept is sent later, and counts as late.
    private static let highWaterMark = 1_000

    func join(_ poller: inout Poller) { poller.add(socket) }

    func prepare(_ number: UInt64) { operations.prepare(number) }

    var part: Int { operations.part }

    func send(_ number: UInt64, intended: UInt64) throws(ZeroMQError) -> Bool {
        operations.prepare(number)
        let part = operations.part
        asked?(number, intended)
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
                let sequence = incoming.withUnsafeBytes(at: 1, { answer.sequence($0) }),
                let (number, part) = operations.read(sequence: sequence)
            else { continue }
            let bytes = incoming.totalByteCount
            let fault = incoming.withUnsafeBytes(at: 2) { operations.fault(part, ReplyReader($0)) }
            told?(number, fault == nil)
            return RequestAnswer(number: number, bytes: bytes, error: fault, part: part)
        }
        return nil
    }
}
