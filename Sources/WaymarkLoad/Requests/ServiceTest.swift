// SPDX-License-Identifier: Apache-2.0

public import Landmarks
public import LoadTest
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
