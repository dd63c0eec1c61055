// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Runs work that blocks. It may take hours, and the threads of Swift's pool are few.
enum OwnThread {
    static func run<Success: Sendable>(
        _ work: @escaping @Sendable () throws(FetchError.Reason) -> Success
    ) async throws(FetchError.Reason) -> Success {
        try await withCheckedContinuation { (done: CheckedContinuation<Result<Success, FetchError.Reason>, Never>) in
            Thread.detachNewThread {
                do throws(FetchError.Reason) {
                    done.resume(returning: .success(try work()))
                } catch {
                    done.resume(returning: .failure(error))
                }
            }
        }.get()
    }
}
