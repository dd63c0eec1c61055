// SPDX-License-Identifier: Apache-2.0

/// Starts a loop, runs `body` with it, and stops it, also when `body` throws.
///
/// The loop closes sockets that `body` releases, if need be after its end. Throws what ``EventLoop/init(name:)`` and
/// `body` throw.
public func withEventLoop<R: Sendable>(
    _ name: String, isolation: isolated (any Actor)? = #isolation, _ body: (EventLoop) async throws -> R
) async throws -> R {
    let loop = try EventLoop(name: name)
    let result: R
    do {
        result = try await body(loop)
    } catch {
        await loop.stop()
        throw error
    }
    await loop.stop()
    return result
}
