// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf
import WaymarkProtocol

/// The rules for the turns of those who fetch a source.
///
/// Turns and intervals are measured by the wall clock, because they must survive a restart. If the clock has been set
/// back, the last attempt lies in the future. It then counts as long past: that costs one fetch too many, and never
/// leaves one out.
struct FetchRules {
    /// Milliseconds between a failed fetch and the next turn, for all query services together. Each of them also waits
    /// longer after each failure of its own.
    private static let failurePause: UInt64 = 30_000

    let fetches: any FetchTable

    func begin(_ fetch: FetchRequest, by caller: Caller, now: UInt64) throws -> WireReply {
        try caller.require(.ingest)
        var state = try fetches.find(fetch.source) ?? FetchState(source: fetch.source)
        if state.attempts > 0, state.attempted <= now {
            // A turn that was not given back blocks for its lease only, and a failed fetch for a short pause.
            let pause = state.outcome.result == .failed ? min(fetch.every, Self.failurePause) : fetch.every
            let wait = state.lease > 0 ? state.lease : pause
            let passed = now - state.attempted
            if passed < wait { return .wait(wait - passed) }
        }
        state.url = fetch.url
        state.format = fetch.format
        state.attempted = now
        state.attempts = try state.attempts.countedOn()
        state.lease = fetch.lease
        try fetches.store(state)
        // The ETag of another URL or format is not valid for this one.
        let isSame = state.successURL == fetch.url && state.successFormat == fetch.format
        return .with {
            $0.fetchTurn.granted = true
            $0.fetchTurn.etag = isSame ? state.outcome.etag : ""
            $0.fetchTurn.lastModified = isSame ? state.outcome.lastModified : ""
        }
    }

    func end(
        _ source: String, _ outcome: WireFetchOutcome, by caller: Caller, now: UInt64
    ) throws -> WireReply {
        try caller.require(.ingest)
        guard var state = try fetches.find(source) else { throw Refusal.noFetch(of: source) }
        state.lease = 0
        switch outcome.result {
        case .ingested:
            state.outcome = outcome
            state.outcome.error = ""
        case .notModified:
            let last = state.outcome
            state.outcome = outcome
            state.outcome.error = ""
            if outcome.etag.isEmpty { state.outcome.etag = last.etag }
            if outcome.lastModified.isEmpty { state.outcome.lastModified = last.lastModified }
            if outcome.format.isEmpty { state.outcome.format = last.format }
            if !outcome.hasCounts, last.hasCounts { state.outcome.counts = last.counts }
        case .failed, .unspecified, .UNRECOGNIZED:
            state.outcome.result = .failed
            state.outcome.error = outcome.error
            state.failures = try state.failures.countedOn()
        }
        if state.outcome.result != .failed {
            state.succeeded = now
            state.successURL = state.url
            state.successFormat = state.format
        }
        try fetches.store(state)
        return .with { $0.done = WireDone() }
    }
}

extension UInt64 {
    fileprivate func countedOn() throws(EngineError) -> UInt64 {
        guard self < .max else { throw .corrupted("a count of fetches is impossible") }
        return self + 1
    }
}

extension WireReply {
    fileprivate static func wait(_ milliseconds: UInt64) -> WireReply {
        .with {
            $0.fetchTurn.granted = false
            $0.fetchTurn.waitMs = milliseconds
        }
    }
}
