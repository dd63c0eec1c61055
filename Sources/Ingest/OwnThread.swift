// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Runs blocking work on a thread apart. The work may take hours, and Swift's pool has few threads.
enum OwnThread {
    static func run<Success: Sendable>(
        _ work: @escaping @Sendable () throws(FetchError.Reason) -> Success
    ) async -> Result<Success, FetchError.Reason> {
        await withCheckedContinuation { done in
            DispatchQueue(label: "waymark.fetch").async {
                do throws(FetchError.Reason) {
                    done.resume(returning: .success(try work()))
                } catch {
                    done.resume(returning: .failure(error))
                }
            }
        }
    }
}
