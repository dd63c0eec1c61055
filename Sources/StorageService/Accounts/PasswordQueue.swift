// SPDX-License-Identifier: Apache-2.0

import Accounts

/// Requests that wait for a thread. Network addresses are served in turn, and so are the user names of one address, so
/// a client that asks often waits behind its own requests. When the queue is full, a request of the client with the
/// most waiting requests is dropped.
struct PasswordQueue<Value> {
    private struct Entry {
        let source: SignInLimits.Source
        let number: UInt64
        let value: Value
    }

    /// The maximum number of waiting requests. A hash takes some 50 ms on an idle machine, so even the last request is
    /// answered before its deadline.
    static var most: Int { 32 }
    /// The maximum number of addresses, and of sources, for which the queue remembers when they were last served.
    private static var mostTurns: Int { 256 }

    private var waiting: [Entry] = []
    private var last: UInt64 = 0
    private var addresses: [String: UInt64] = [:]
    private var sources: [SignInLimits.Source: UInt64] = [:]

    /// Adds a request. Returns the request that has to leave the full queue, perhaps the new one; nil if there is room.
    mutating func add(_ value: Value, from source: SignInLimits.Source) -> Value? {
        last += 1
        waiting.append(Entry(source: source, number: last, value: value))
        guard waiting.count > Self.most else { return nil }
        let ofAddress = Dictionary(grouping: waiting, by: \.source.address).mapValues(\.count)
        let ofSource = Dictionary(grouping: waiting, by: \.source).mapValues(\.count)
        func weight(_ entry: Entry) -> (Int, Int, Int, UInt64) {
            let proven = entry.source.isProven ? 0 : 1
            return (ofAddress[entry.source.address] ?? 0, ofSource[entry.source] ?? 0, proven, entry.number)
        }
        return waiting.indices.max { weight(waiting[$0]) < weight(waiting[$1]) }.map { waiting.remove(at: $0).value }
    }

    mutating func next() -> Value? {
        func turn(_ entry: Entry) -> (UInt64, UInt64, UInt64) {
            (addresses[entry.source.address] ?? 0, sources[entry.source] ?? 0, entry.number)
        }
        guard let index = waiting.indices.min(by: { turn(waiting[$0]) < turn(waiting[$1]) }) else { return nil }
        let entry = waiting.remove(at: index)
        began(entry.source)
        return entry.value
    }

    /// Records that a source is being served, so that its next request waits behind those of other sources.
    mutating func began(_ source: SignInLimits.Source) {
        last += 1
        (addresses[source.address], sources[source]) = (last, last)
        if addresses.count > Self.mostTurns { addresses.keepNewest { $0 } }
        if sources.count > Self.mostTurns { sources.keepNewest { $0 } }
    }
}
