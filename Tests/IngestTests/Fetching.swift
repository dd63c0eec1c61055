// SPDX-License-Identifier: Apache-2.0

import Synchronization

@testable import Ingest

/// A fetcher that records its waits instead of waiting.
struct PatientFetcher {
    let fetcher: SourceFetcher
    private let recorder = Recorder<Duration>()

    /// - Parameter random: the value of each random number.
    init(attempts: Int = 1, random: Double = 0.5, now: Int = 0) {
        let recorder = recorder
        fetcher = SourceFetcher(
            retry: RetryPolicy(attempts: attempts),
            surroundings: .init(sleep: { recorder.add($0) }, random: { random }, now: { now }))
    }

    var waits: [Duration] { recorder.all }

    func fetch(
        _ location: String, validators: FetchValidators = FetchValidators(), limits: FetchLimits = FetchLimits(),
        progress: @escaping @Sendable (FetchProgress) -> Void = { _ in }
    ) async throws -> FetchResult {
        try await fetcher.fetch(
            FetchRequest(location: try SourceLocation(location), validators: validators, limits: limits),
            progress: progress)
    }

    /// The error of the fetch; nil if it succeeded.
    func failure(
        _ location: String, limits: FetchLimits = FetchLimits(),
        progress: @escaping @Sendable (FetchProgress) -> Void = { _ in }
    ) async throws -> FetchError? {
        do {
            _ = try await fetch(location, limits: limits, progress: progress)
            return nil
        } catch let error as FetchError {
            return error
        }
    }
}

/// Records events in order, from any thread.
final class Recorder<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])

    var all: [Element] { elements.withLock { $0 } }

    func add(_ element: Element) { elements.withLock { $0.append(element) } }
}

extension FetchResult {
    var body: FetchedBody? {
        if case .fetched(let body) = self { body } else { nil }
    }

    var text: String? { body.map { String(decoding: $0.bytes, as: UTF8.self) } }
}
