// SPDX-License-Identifier: Apache-2.0

public import Landmarks
public import LoadTest
public import ZeroMQ

/// A load test of a running service with requests of the Waymark protocol, over the wire.
public struct ServiceTest: Sendable {
    public var endpoint: String
    /// The user who makes the writes.
    public var user: String
    /// How the clients prove their identity; nil for no proof and no encryption.
    public var security: SocketSecurity?
    /// The time limit of an answer in nanoseconds.
    public var timeout: UInt64
    /// The position that the answers must reflect at least, as after a write of the same client; nil for any.
    public var atLeast: Position?
    /// Makes the operations anew for each run, so that no run repeats the writes of another one.
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
            // A single operation is the total, so there are no parts to report.
            if mix.names.count > 1 { generator.parts = mix.names }
            var result = try generator.run(ports, shape)
            result.requestBytes = mix.requestBytes
            return result
        }
    }
}
