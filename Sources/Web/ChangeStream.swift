// SPDX-License-Identifier: Apache-2.0

internal import HummingbirdCore
internal import IPAddresses
internal import NIOCore
internal import WaymarkClient

/// The stream of changes for one reader. It has a position instead of a queue: while a write waits for the socket, the
/// changes stay in the ring and in the log.
///
/// Ten thousand streams are open, and each keeps the frames of its calls. So it is an object, which frames do not copy,
/// and calls with large frames are not inlined.
final class ChangeStream: Sendable {
    /// The size in bytes from which a write begins, so that little waits in memory for each slow reader. A write has at
    /// most one more event.
    private static let batchBytes = 16 * 1024
    /// The maximum number of changes that are read from the ring for a write, and the maximum number of rows of a page
    /// from the log or of a snapshot.
    private static let (batchCount, pageCount) = (32, 64)

    private let hub: ChangeHub
    private let client: WaymarkClient
    private let network: IPAddress?
    private let filter: FeedFilter
    private let start: Position?
    private let isWelcome: @Sendable () -> Bool

    /// - Parameters:
    ///   - network: the reader's network; nil for an address that stands for many readers.
    ///   - start: the position after which the changes begin; nil to begin with all landmarks.
    ///   - isWelcome: whether the reader's key is still valid. Called before each write.
    init(
        hub: ChangeHub, client: WaymarkClient, network: IPAddress?, filter: FeedFilter, start: Position?,
        isWelcome: @escaping @Sendable () -> Bool
    ) {
        (self.hub, self.client, self.network, self.filter) = (hub, client, network, filter)
        (self.start, self.isWelcome) = (start, isWelcome)
    }

    /// Writes events until the client hangs up, the service stops, or the stream cannot continue. Writes none if there
    /// is no room for another reader.
    func write(to writer: inout any ResponseBodyWriter) async throws {
        guard let reader = hub.enter(from: network, matching: filter) else { return hub.metrics.refusedReader() }
        defer { hub.leave(reader) }
        try await writer.write(ByteBuffer(bytes: EventText.opening))
        var position: Position
        if let start {
            position = start
        } else {
            guard let synced = try await snapshot(to: &writer) else { return }
            position = synced
        }
        var lastWritten = ContinuousClock.now
        var isTurn = false
        while !hub.isClosed, !Task.isCancelled {
            var buffer: [UInt8] = []
            var events = 0
            var read = readRing(reader, &position, into: &buffer, counting: &events)
            if read == nil { read = await readLog(&position, into: &buffer, counting: &events) }
            guard let hasCaughtUp = read else { return try await writer.write(ByteBuffer(bytes: buffer)) }
            // At the reader's turn, once in each interval, no beacon is needed if something was sent shortly before. A
            // reader that is behind has no turns.
            let pause = isTurn || !hasCaughtUp ? hub.options.beacon / 4 : hub.options.beacon
            if buffer.isEmpty, ContinuousClock.now - lastWritten >= pause {
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
                // While the stream waits, it keeps no buffer.
                buffer = []
            }
            isTurn = hasCaughtUp ? await !hub.wait(reader, after: position) : false
        }
    }

    /// Reads changes after `position` from the ring, and advances it.
    ///
    /// - Returns: whether no further change was there; nil if the log has to be read.
    @inline(never)
    private func readRing(
        _ reader: Int, _ position: inout Position, into buffer: inout [UInt8], counting events: inout Int
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

    /// Reads changes from the log in the same way.
    ///
    /// - Returns: whether no further change was there; nil if the stream must end with what is in `buffer`.
    @inline(never)
    private func readLog(
        _ position: inout Position, into buffer: inout [UInt8], counting events: inout Int
    ) async -> Bool? {
        hub.metrics.readLog()
        let asking = Task { [client, filter, position] in
            try await client.changes(after: position, matching: filter, limit: Self.pageCount)
        }
        // The task keeps the memory of its deepest call until it ends.
        switch await asking.result {
        case .success(let page):
            let hasMoved = page.through.rev > position.rev
            for told in page.changes {
                ChangeText(told).write(told.operation, to: &buffer)
                (events, position) = (events + 1, told.position)
                if buffer.count >= Self.batchBytes { return false }
            }
            position = page.through
            return !hasMoved
        case .failure(ClientError.refused(let refusal)) where refusal.endsStream:
            hub.metrics.ended(refusal.code.name)
            buffer = EventText.ended(refusal, after: position)
            return nil
        case .failure:
            // Storage cannot be reached. Try again, so that the stream continues when storage is back.
            try? await Task.sleep(for: .milliseconds(500))
            return false
        }
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
