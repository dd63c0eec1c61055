// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf
import WaymarkProtocol

/// The rules for leases: which query service may fetch a source, and when.
///
/// Leases and intervals are measured by the wall clock, because they must survive a restart. If the clock has been set
/// back, the last attempt lies in the future. Such an attempt counts as long past, which costs one fetch too many, but
/// never leaves a fetch out.
struct FetchRules {
    /// The number of milliseconds between a failed fetch and the next lease for any query service. A query service also
    /// waits longer after each of its own failures.
    private static let failurePause: UInt64 = 30_000

    let fetches: any FetchTable

    func begin(_ fetch: FetchRequest, by caller: Caller, now: UInt64) throws -> WireReply {
        try caller.require(.ingest)
        var state = try fetches.find(fetch.source) ?? FetchState(listed: .with { $0.source = fetch.source })
        if state.listed.attempts > 0, state.listed.attempted <= now {
            // A lease that was not given back blocks others until it ends. A failed fetch blocks them for a short time.
            let pause = state.listed.outcome.result == .failed ? min(fetch.every, Self.failurePause) : fetch.every
            let wait = state.lease > 0 ? state.lease : pause
            let passed = now - state.listed.attempted
            if passed < wait { return .wait(wait - passed) }
        }
        (state.listed.url, state.listed.format, state.listed.attempted) = (fetch.url, fetch.format, now)
        state.listed.attempts = try state.listed.attempts.countedOn()
        state.lease = fetch.lease
        try fetches.store(state)
        // The ETag of one URL and format is not valid for another URL or format.
        let isSame = state.successURL == fetch.url && state.successFormat == fetch.format
        return .with {
            $0.fetchLease.granted = true
            $0.fetchLease.etag = isSame ? state.listed.outcome.etag : ""
            $0.fetchLease.lastModified = isSame ? state.listed.outcome.lastModified : ""
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
            state.listed.outcome = outcome
            state.listed.outcome.error = ""
        case .notModified:
            let last = state.listed.outcome
            state.listed.outcome = outcome
            state.listed.outcome.error = ""
            if outcome.etag.isEmpty { state.listed.outcome.etag = last.etag }
            if outcome.lastModified.isEmpty { state.listed.outcome.lastModified = last.lastModified }
            if outcome.format.isEmpty { state.listed.outcome.format = last.format }
            if !outcome.hasCounts, last.hasCounts { state.listed.outcome.counts = last.counts }
        case .failed, .unspecified, .UNRECOGNIZED:
            state.listed.outcome.result = .failed
            state.listed.outcome.error = outcome.error
            state.listed.failures = try state.listed.failures.countedOn()
        }
        if state.listed.outcome.result != .failed {
            state.listed.succeeded = now
            (state.successURL, state.successFormat) = (state.listed.url, state.listed.format)
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
        .with { ($0.fetchLease.granted, $0.fetchLease.waitMs) = (false, milliseconds) }
    }
}
