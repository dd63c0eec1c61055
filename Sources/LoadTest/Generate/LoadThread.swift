// SPDX-License-Identifier: Apache-2.0

import ZeroMQ

/// Runs code that blocks or spins on a thread of its own, because Swift's concurrency pool has no thread to spare.
public enum LoadThread {
    public static func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            startDetachedThread("waymark-load") { continuation.resume(with: Result { try body() }) }
        }
    }
}
