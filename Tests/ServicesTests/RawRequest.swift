// SPDX-License-Identifier: Apache-2.0

import Landmarks
import SwiftProtobuf
import WaymarkProtocol
import WaymarkTransport
import ZeroMQ

/// One request with a header of the test's own making.
actor RawRequest {
    private let loop = EventLoop.forTest("raw-request")
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Returns: the code of the refusal; nil if there is none.
    static func ask(
        _ endpoint: String, keys: CurveKeyPair, server: CurveKey, _ request: WireRequest, account: UInt64,
        origin: String
    ) async throws -> ErrorCode? {
        var random = SystemRandomNumberGenerator()
        var header = RequestHeader(
            key: RequestKey(client: UUIDv7(high: random.next(), low: random.next()), sequence: 1))
        (header.account, header.origin) = (account, origin)
        guard
            case .failure(let failure)? = try await reply(endpoint, keys: keys, server: server, request, header)?.result
        else { return nil }
        return ErrorCode(rawValue: failure.code)
    }

    /// - Returns: nil if there is no answer.
    static func reply(
        _ endpoint: String, keys: CurveKeyPair, server: CurveKey, _ request: WireRequest, _ header: RequestHeader
    ) async throws -> WireReply? {
        let raw = RawRequest()
        let answer = try await raw.ask(endpoint, .curveClient(serverKey: server, keys: keys), request, header)
        await raw.loop.stop()
        return answer
    }

    private func ask(
        _ endpoint: String, _ security: SocketSecurity, _ request: WireRequest, _ header: RequestHeader
    ) async throws -> WireReply? {
        let context = try Context()
        let channel = try RequestChannel(
            loop: loop, context: context, endpoints: [endpoint], security: { _ in security })
        let outcome = await withCheckedContinuation { (continuation: CheckedContinuation<ChannelOutcome, Never>) in
            channel.submit(header, body: request.encoded, milliseconds: 60_000) { continuation.resume(returning: $0) }
        }
        channel.close()
        guard case .answered(_, let body, _) = outcome else { return nil }
        return try WireReply(serializedBytes: body)
    }
}
