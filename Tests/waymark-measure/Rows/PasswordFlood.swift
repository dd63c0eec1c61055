// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import LoadTest
import Synchronization
import WaymarkLoad
import WaymarkProtocol
import ZeroMQ

/// Guesses passwords at a fixed rate, independent of the answers, on a thread of its own.
///
/// Each connection has an address of loopback and names of its own, so that the limits by address and by name let as
/// many guesses pass as they ever do for so many addresses.
final class PasswordFlood: Sendable {
    struct Counts {
        var seconds = 0.0
        /// How many were sent. Many of them have no answer.
        var sent = 0
        /// How many were compared with a password. The others were refused before.
        var checked = 0
        var refused = 0
    }

    private let addresses: Int
    private let isEnded = Atomic<Bool>(false)
    private let guessing = Locked<Task<Counts, any Error>?>(nil)

    /// - Parameter endpoint: `tcp://127.0.0.1:PORT`.
    init(_ endpoint: String, server: CurveKey, rate: Double, addresses: Int) {
        self.addresses = addresses
        let task = Task { try await LoadThread.run { try self.guess(endpoint, server, rate) } }
        guessing.withLock { $0 = task }
    }

    func end() async throws -> Counts {
        isEnded.store(true, ordering: .releasing)
        return try await guessing.withLock { $0 }?.value ?? Counts()
    }

    private func guess(_ endpoint: String, _ server: CurveKey, _ rate: Double) throws -> Counts {
        let context = try Context(maxSockets: addresses + 16)
        let guessers = try (1...addresses).map {
            try Guesser(context, endpoint.replacing("//", with: "//127.0.1.\($0):0;", maxReplacements: 1), server)
        }
        var counts = Counts()
        let begun = ContinuousClock.now
        while !isEnded.load(ordering: .acquiring) {
            counts.seconds = (ContinuousClock.now - begun) / .seconds(1)
            while Double(counts.sent) < counts.seconds * rate {
                let guesser = guessers[counts.sent % guessers.count]
                try guesser.send(counts.sent)
                // The answers to earlier ones.
                try guesser.count(&counts)
                counts.sent += 1
            }
            NanoClock.sleep(1_000_000)
        }
        return counts
    }
}

/// One connection that guesses. Stays on the flood's thread.
private final class Guesser {
    private static let names = 25

    private let socket: Socket
    private let client = UUIDv7(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max))
    private var message = Message()

    init(_ context: Context, _ endpoint: String, _ server: CurveKey) throws {
        var options = SocketOptions.client
        options.security = .curveClient(serverKey: server, keys: try .generate())
        socket = try Socket(.dealer, context: context, options: options)
        try socket.connect(endpoint)
    }

    func send(_ number: Int) throws {
        let header = WireRequestHeader.with {
            ($0.client, $0.sequence, $0.timeoutMs) = (Data(client.bytes), UInt64(number + 1), 5_000)
        }
        let body = WireRequest.with {
            $0.signIn.name = "\(client) \(number % Self.names)"
            $0.signIn.password = Data("guess number \(number)".utf8)
        }
        message.removeAll()
        for frame in [Signature(.request).bytes, try header.serializedBytes(), try body.serializedBytes()] {
            message.append(frame)
        }
        _ = try socket.send(&message)
    }

    func count(_ counts: inout PasswordFlood.Counts) throws {
        while try socket.receive(into: &message) {
            guard message.count == 3 else { continue }
            let refusal = message.withUnsafeBytes(at: 2) { ReplyReader($0).refusal }
            if refusal == ErrorCode.wrongPassword.name { counts.checked += 1 } else { counts.refused += 1 }
        }
    }
}
