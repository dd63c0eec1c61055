// SPDX-License-Identifier: Apache-2.0

import Foundation
public import Testing

/// Waits until a condition holds, by looking again and again: for conditions that no event tells.
///
/// - Parameters:
///   - what: the condition in words, for the error; evaluated only then.
///   - time: far beyond the time that the condition takes.
/// - Throws: after `time`, which is also recorded at the caller's line, and what `isSo` throws.
public func until(
    _ what: @autoclosure () -> String = "this is so", within time: Duration = .seconds(60),
    sourceLocation: SourceLocation = #_sourceLocation, isolation: isolated (any Actor)? = #isolation,
    _ isSo: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + time
    while try await !isSo() {
        guard ContinuousClock.now < deadline else { throw Overdue(what(), time, sourceLocation) }
        try await Task.sleep(for: .milliseconds(5))
    }
}

/// The same for a test that blocks its thread.
public func blockUntil(
    _ what: @autoclosure () -> String = "this is so", within time: Duration = .seconds(60),
    sourceLocation: SourceLocation = #_sourceLocation, _ isSo: () throws -> Bool
) throws {
    let deadline = ContinuousClock.now + time
    while try !isSo() {
        guard ContinuousClock.now < deadline else { throw Overdue(what(), time, sourceLocation) }
        Thread.sleep(forTimeInterval: 0.005)
    }
}

/// The condition did not hold in time.
private struct Overdue: Error, CustomStringConvertible {
    let description: String

    fileprivate init(_ what: String, _ time: Duration, _ sourceLocation: SourceLocation) {
        description = "Waited \(time) until \(what)."
        // The error alone would tell the test, and not the line.
        Issue.record(Comment(rawValue: description), sourceLocation: sourceLocation)
    }
}
