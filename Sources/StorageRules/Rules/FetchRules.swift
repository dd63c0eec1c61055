// SPDX-License-Identifier: Apache-2.0

import Landmarks
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
    /// The maximum duration of a lease in milliseconds. A client that never gives its lease back blocks the source for
    /// so long.
    static let longestLease: UInt64 = 3_600_000
    /// The maximum interval between fetches in milliseconds: a leap year, as in the settings.
    private static let longestEvery: UInt64 = 366 * 86_400_000
    private static let textBytes = 8_192

    let fetches: any FetchTable

    // MARK: Checks without the database

    static func checked(_ begin: WireBeginFetch) throws(InvalidInput) -> WireBeginFetch {
        var begin = begin
        begin.source = try LandmarkRules.source(begin.source)
        try bounded(begin.url, "URL")
        try bounded(begin.format, "format")
        guard begin.leaseMs <= longestLease else { throw .outOfRange("lease", "at most \(longestLease) milliseconds") }
        guard begin.everyMs <= longestEvery else {
            throw .outOfRange("time between two fetches", "at most \(longestEvery) milliseconds")
        }
        return begin
    }

    static func bounded(_ text: String, _ what: String) throws(InvalidInput) {
        guard text.utf8.count <= textBytes else { throw .outOfRange(what, "at most \(textBytes) bytes") }
        // PostgreSQL cannot store a NUL character.
        guard !text.utf8.contains(0) else { throw .nulCharacter(what) }
    }

    // MARK: Commands

    /// - Parameter fetch: the request for a lease: the right to be the only one that fetches a source for some time.
    func begin(_ fetch: WireBeginFetch, by caller: Caller, now: UInt64) throws -> WireReply {
        try caller.require(.ingest)
        var state = try fetches.find(fetch.source) ?? FetchState(listed: .with { $0.source = fetch.source })
        if state.listed.attempts > 0, state.listed.attempted <= now {
            // A lease that was not given back blocks others until it ends. A failed fetch blocks them for a short time.
            let pause = state.listed.outcome.result == .failed ? min(fetch.everyMs, Self.failurePause) : fetch.everyMs
            let wait = state.lease > 0 ? state.lease : pause
            let passed = now - state.listed.attempted
            if passed < wait { return .wait(wait - passed) }
        }
        (state.listed.url, state.listed.format, state.listed.attempted) = (fetch.url, fetch.format, now)
        state.listed.attempts = try state.listed.attempts.countedOn()
        state.lease = fetch.leaseMs
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
        let last = state.listed.outcome
        state.lease = 0
        switch outcome.result {
        case .ingested, .notModified:
            state.listed.outcome = outcome
            state.listed.outcome.error = ""
            state.listed.succeeded = now
            (state.successURL, state.successFormat) = (state.listed.url, state.listed.format)
        case .failed, .unspecified, .UNRECOGNIZED:
            state.listed.outcome.result = .failed
            state.listed.outcome.error = outcome.error
            state.listed.failures = try state.listed.failures.countedOn()
        }
        if outcome.result == .notModified {
            if outcome.etag.isEmpty { state.listed.outcome.etag = last.etag }
            if outcome.lastModified.isEmpty { state.listed.outcome.lastModified = last.lastModified }
            if outcome.format.isEmpty { state.listed.outcome.format = last.format }
            if !outcome.hasCounts, last.hasCounts { state.listed.outcome.counts = last.counts }
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
