// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Synchronization

/// Work that blocks, on a thread beside the test's, and its result.
public final class Background<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)
    private let isOver = DispatchSemaphore(value: 0)

    public init(_ body: @escaping @Sendable () throws -> Value) {
        DispatchQueue.global().async {
            let made = Result { try body() }
            self.result.withLock { $0 = made }
            self.isOver.signal()
        }
    }

    struct TooLate: Error {}

    /// Waits for the result.
    public func value() throws -> Value {
        guard isOver.wait(timeout: .now() + 60) == .success, let result = result.withLock({ $0 }) else {
            throw TooLate()
        }
        // For a second call.
        isOver.signal()
        return try result.get()
    }
}
