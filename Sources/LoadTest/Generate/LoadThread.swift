// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A thread of its own for what blocks or spins: the pool of Swift's concurrency has no thread to spare for that.
public enum LoadThread {
    public static func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
        }
    }
}
