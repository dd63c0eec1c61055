// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Connections that read beside each other, each on a thread of its own. They are opened when they are needed first.
public final class ConnectionPool: Sendable {
    /// What is to be done with a connection as soon as there is one.
    private typealias Job = @Sendable (SerialConnection) -> Void

    private struct Connections {
        var all: [SerialConnection] = []
        var idle: [SerialConnection] = []
        var waiting: [Job] = []
    }

    private let configuration: Configuration
    private let connections = Mutex(Connections())
    private let gate = Gate()

    public init(_ configuration: Configuration) { self.configuration = configuration }

    /// Reads one state of the database; a statement that writes is refused with ``PostgreSQLError/readOnly(_:)``.
    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try gate.enter()
        return try await withCheckedThrowingContinuation { continuation in
            take { reader in
                reader.async { connection in
                    let result = Result { try reader.reading(try connection.get(), body) }
                    self.giveBack(reader)
                    self.gate.leave()
                    continuation.resume(with: result)
                }
            }
        }
    }

    /// Waits for the reads that are under way. Later ones are refused with ``PostgreSQLError/closed``.
    public func close() {
        guard gate.close() else { return }
        for reader in connections.withLock({ $0.all }) { reader.close() }
    }

    private func take(_ job: @escaping Job) {
        let reader = connections.withLock { connections -> SerialConnection? in
            if let idle = connections.idle.popLast() { return idle }
            guard connections.all.count < max(1, configuration.maximumConnectionCount) else {
                connections.waiting.append(job)
                return nil
            }
            let new = SerialConnection(configuration, "reader.\(connections.all.count + 1)")
            connections.all.append(new)
            return new
        }
        if let reader { job(reader) }
    }

    /// To the one that has waited longest.
    private func giveBack(_ reader: SerialConnection) {
        let job = connections.withLock { connections -> Job? in
            guard connections.waiting.isEmpty else { return connections.waiting.removeFirst() }
            connections.idle.append(reader)
            return nil
        }
        job?(reader)
    }
}
