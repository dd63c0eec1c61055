// SPDX-License-Identifier: Apache-2.0

import Dispatch
public import Testing

/// Gives a suite, with all suites in it, one server: ``TestServer/current()``.
public struct ServerTrait: SuiteTrait, TestScoping {
    fileprivate let options: TestServer.Options

    /// The suite's tests share one server.
    public var isRecursive: Bool { false }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let options = options
        let server = try await Self.offPool { try TestServer(options) }
        do { try await TestServer.$ofSuite.withValue(server) { try await function() } } catch {
            try await Self.offPool { server.close() }
            throw error
        }
        try await Self.offPool { server.close() }
    }

    /// Runs blocking work on a thread of its own: Swift's pool has one thread for each core.
    private static func offPool<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result { try body() }) }
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips tests that need PostgreSQL where it is not installed.
    public static var ifPostgreSQLIsInstalled: Self {
        .enabled(if: Installation.isWanted, Comment(rawValue: Installation.missing))
    }
}

extension Trait where Self == ServerTrait {
    /// A server for this suite, gone after its last test.
    public static func postgreSQL(_ options: TestServer.Options = TestServer.Options()) -> Self {
        ServerTrait(options: options)
    }
}
