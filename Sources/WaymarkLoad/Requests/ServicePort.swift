// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import LoadTest
import SwiftProtobuf
import WaymarkProtocol
import ZeroMQ

/// A connection to a service in the form of the protocol: a DEALER socket, and requests that are sent once.
///
/// A client would repeat a request without an answer. The generator does not: such an operation took too long.
final class ServicePort: RequestPort {
    private let socket: Socket
    private let signature = Signature(.request).bytes
    /// The `RequestHeader` without its number, which is appended: fields may come in any order.
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
    ///   - atLeast: the answers must reflect this position or a later one.
    ///   - operations: the operations, shared by the ports of one generator.
    ///   - timeout: the time limit in nanoseconds; the service gives up after the same time.
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
        let client = UUIDv7(high: random.next(), low: random.next()).bytes
        answer = AnswerHeader(client: client)
        header =
            WireRequestHeader.with {
                $0.client = Data(client)
                $0.timeoutMs = UInt32(clamping: max(1, timeout / 1_000_000))
                $0.user = user
                if let atLeast { $0.atLeast = atLeast.wire }
            }.encoded
        try socket.connect(endpoint)
    }

    /// The most messages in the socket's send queue; a request has up to some hundred kilobytes. Messages that the
    /// socket does not accept are sent later, and count as late.
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
