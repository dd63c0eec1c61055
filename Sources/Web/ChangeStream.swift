// SPDX-License-Identifier: Apache-2.0

internal import HummingbirdCore
internal import NIOCore
internal import WaymarkClient

/// The stream of changes for one reader. It has a position instead of a queue: while a write waits for the socket, the
/// changes stay in the ring and in the log.
struct ChangeStream: Sendable {
    enum Start: Sendable {
        case after(Position)
        case snapshot
    }

    /// The size in bytes from which a write begins, so that little waits in memory for each slow reader. A write has at
    /// most one more event.
    private static let batchBytes = 16 * 1024
    /// The maximum number of changes that are read from the ring for a write, and the maximum number of rows of a page
    /// from the log or of a snapshot.
    private static let (batchCount, pageCount) = (32, 64)

    let hub: ChangeHub
    /// The reader's number in the hub.
    let reader: Int
    let client: WaymarkClient
    let filter: FeedFilter
    let start: Start
    let beacon: Duration
    /// Whether the reader's key is still valid. Called before each write.
    let isWelcome: @Sendable () -> Bool

    /// Writes events until the client hangs up, the service stops, or the stream cannot continue.
    func write(to writer: inout any ResponseBodyWriter) async throws {
        try await writer.write(ByteBuffer(bytes: EventText.opening))
        var position: Position
        switch start {
        case .after(let start): position = start
        case .snapshot:
            guard let synced = try await snapshot(to: &writer) else { return }
            position = synced
        }
        var lastWritten = ContinuousClock.now
        var isTurn = false
        while !hub.isClosed, !Task.isCancelled {
            var buffer: [UInt8] = []
            var hasCaughtUp = false
            var events = 0
            do throws(ClientError) {
                if let isLast = readRing(&position, into: &buffer, counting: &events) {
                    hasCaughtUp = isLast
                } else {
                    hasCaughtUp = try await readLog(&position, into: &buffer, counting: &events)
                }
            } catch {
                if case .refused(let refusal) = error, refusal.endsStream {
                    hub.metrics.ended(refusal.code.name)
                    try await writer.write(ByteBuffer(bytes: EventText.ended(refusal, after: position)))
                    return
                }
                // Storage cannot be reached. Try again, so that the stream continues when storage is back.
                try? await Task.sleep(for: .milliseconds(500))
            }
            // At the reader's turn, once in each interval, no beacon is needed if something was sent shortly before. A
            // reader that is behind has no turns.
            let isDue = isTurn || !hasCaughtUp
            if buffer.isEmpty, ContinuousClock.now - lastWritten >= (isDue ? beacon / 4 : beacon) {
                buffer = EventText.beacon(position, isLive: hasCaughtUp && hub.isLive)
            }
            guard isWelcome() else {
                hub.metrics.ended(ServiceError.keyEnded.code.name)
                return try await writer.write(ByteBuffer(bytes: EventText.signedOut))
            }
            if !buffer.isEmpty {
                // The call waits while the socket is full.
                try await writer.write(ByteBuffer(bytes: buffer))
                hub.metrics.sent(events: events, bytes: buffer.count)
                lastWritten = .now
            }
            isTurn = hasCaughtUp ? await !hub.wait(reader, after: position) : false
        }
    }

    /// Reads changes after `position` from the ring, and advances it.
    ///
    /// - Returns: whether no further change was there; nil if the log has to be read.
    private func readRing(
        _ position: inout Position, into buffer: inout [UInt8], counting events: inout Int
    ) -> Bool? {
        guard let page = hub.page(reader, after: position, most: Self.batchCount) else { return nil }
        for entry in page.entries {
            if entry.write(to: &buffer, matching: filter) { events += 1 }
            (position.rev, position.run) = (entry.rev, entry.run)
            if buffer.count >= Self.batchBytes { return false }
        }
        position = page.through
        return page.isLast
    }

    /// Reads changes from the log in the same way. Not inlined, because its frame is large, and ten thousand streams
    /// keep the frame of their loop.
    @inline(never)
    private func readLog(
        _ position: inout Position, into buffer: inout [UInt8], counting events: inout Int
    ) async throws(ClientError) -> Bool {
        hub.metrics.readLog()
        let (after, filter) = (position, filter)
        let page = try await apart { [client] () async throws(ClientError) in
            try await client.changes(after: after, matching: filter, limit: Self.pageCount)
        }
        let hasMoved = page.through.rev > position.rev
        for told in page.changes {
            ChangeText(told).write(told.operation, to: &buffer)
            (events, position) = (events + 1, told.position)
            if buffer.count >= Self.batchBytes { return false }
        }
        position = page.through
        return !hasMoved
    }

    /// Writes the landmarks page by page, so that a slow reader only needs the memory of one page. If a landmark
    /// changes after the first page was read, it is sent again or reported as gone.
    ///
    /// - Returns: the position that the snapshot has reached; nil if the stream must end.
    @inline(never)
    private func snapshot(to writer: inout any ResponseBodyWriter) async throws -> Position? {
        var steps = SnapshotSteps(client, matching: filter)
        var hasSent = false
        while !hub.isClosed, !Task.isCancelled, isWelcome() {
            let step: SnapshotSteps.Step
            do throws(ClientError) {
                step = try await next(of: &steps)
            } catch {
                if case .refused(let refusal) = error, refusal.endsStream, !error.endsSnapshot { throw error }
                // The landmarks that were sent may belong to a history that is gone. End the stream, so that the reader
                // connects again and starts from the beginning.
                if error.endsSnapshot, hasSent { return nil }
                // Storage may be unreachable: pause before the next attempt.
                try await Task.sleep(for: .milliseconds(500))
                continue
            }
            var buffer: [UInt8] = []
            switch step {
            case .landmarks(let rows, let position):
                for row in rows {
                    buffer += EventText.landmark(try row.landmark(), asOf: position)
                    if buffer.count >= Self.batchBytes { try await send(&buffer, to: &writer) }
                }
            case .changes(let changes, let position):
                for told in changes {
                    buffer +=
                        told.operation.endsMatch
                        ? EventText.gone(told) : EventText.landmark(told.change.landmark, asOf: position)
                    if buffer.count >= Self.batchBytes { try await send(&buffer, to: &writer) }
                }
            case .complete(let position):
                buffer = EventText.synced(position)
                try await send(&buffer, to: &writer)
                return position
            }
            try await send(&buffer, to: &writer)
            hasSent = true
        }
        return nil
    }

    /// Returns the next step of a snapshot. Other readers wait while this one reads a page, but not while it writes.
    private func next(of steps: inout SnapshotSteps) async throws(ClientError) -> SnapshotSteps.Step {
        do { try await hub.waitForSnapshot() } catch { throw .cancelled }
        defer { hub.endSnapshot() }
        return try await steps.next(limit: Self.pageCount)
    }

    /// Makes a request in a task of its own, because a task keeps the memory of its deepest call until it ends.
    private func apart<Answer: Sendable>(
        _ request: @escaping @Sendable () async throws(ClientError) -> Answer
    ) async throws(ClientError) -> Answer {
        let asking = Task { () async -> Result<Answer, ClientError> in
            do throws(ClientError) { return .success(try await request()) } catch { return .failure(error) }
        }
        return try await asking.value.get()
    }

    private func send(_ buffer: inout [UInt8], to writer: inout any ResponseBodyWriter) async throws {
        guard !buffer.isEmpty else { return }
        try await writer.write(ByteBuffer(bytes: buffer))
        hub.metrics.sent(events: 0, bytes: buffer.count)
        buffer.removeAll(keepingCapacity: true)
    }
}

extension ServiceError {
    /// Whether the error is final, that is, another attempt cannot give a different result.
    fileprivate var endsStream: Bool {
        [.compacted, .epochChanged, .futureRevision, .invalid, .denied, .tooLarge].contains(code)
    }
}
