// SPDX-License-Identifier: Apache-2.0

internal import HummingbirdCore
internal import IPAddresses
internal import NIOCore
internal import WaymarkClient

/// The stream of what a link shows: everything at first, then each change, until the link ends. A reader that falls
/// behind the changes in memory gets everything anew.
extension SharedLink {
    private static let batchCount = 64
    private static let pause = Duration.seconds(1)

    /// Writes events until the client hangs up, the service stops, or the link has ended.
    ///
    /// - Parameter network: the reader's network; nil for an address that stands for many readers.
    func stream(
        to writer: inout any ResponseBodyWriter, from network: IPAddress?, _ context: WebContext
    ) async throws {
        let (hub, desk, beacon) = (context.hub, context.links, context.options.beacon)
        guard let reader = hub.enter(from: network, matching: filter) else { return hub.metrics.refusedReader() }
        defer { hub.leave(reader) }
        guard desk.enter(reader, self) else { return hub.metrics.refusedReader() }
        defer { desk.leave(reader, self) }
        try await writer.write(ByteBuffer(bytes: EventText.opening))
        // `rev` is the revision that the event with everything reflects. A change up to it may show an older position.
        var shown: (link: SharedLink, position: Position, rev: UInt64)?
        var (lastWritten, isTurn) = (ContinuousClock.now, false)
        while !hub.isClosed, !Task.isCancelled {
            guard let now = desk.link(grant.digest) else { return try await Self.end(&writer, hub) }
            var (buffer, events, hasCaughtUp): ([UInt8], Int, Bool) = ([], 0, true)
            if let known = shown, known.link == now,
                let page = hub.page(reader, after: known.position, most: Self.batchCount)
            {
                for entry in page.entries where entry.rev > known.rev {
                    if entry.write(to: &buffer, by: now) { events += 1 }
                }
                shown = (now, page.through, known.rev)
                hasCaughtUp = page.isLast
            } else {
                if shown?.link == now { try? await Task.sleep(for: Self.pause) }
                do {
                    let (text, position, rev) = try await now.whole(context)
                    buffer = text
                    shown = (now, position, rev)
                } catch {
                    // The landmark is gone, and the link with it; or nobody can be asked about such an area.
                    let isOver = [ErrorCode.notFound, .invalid, .outsideRegion, .denied].map(\.name).contains(
                        Problem(error).code)
                    guard !isOver else { return try await Self.end(&writer, hub) }
                    shown = nil
                    try? await Task.sleep(for: Self.pause)
                    continue
                }
            }
            guard let position = shown?.position else { continue }
            if buffer.isEmpty, ContinuousClock.now - lastWritten >= (isTurn || !hasCaughtUp ? beacon / 4 : beacon) {
                buffer = EventText.beacon(position, isLive: hasCaughtUp && hub.isLive)
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

    /// Returns the event with everything, a position from which changes can be read, and the revision up to which the
    /// event reflects them.
    private func whole(_ context: WebContext) async throws -> (text: [UInt8], position: Position, rev: UInt64) {
        var position = try await context.client.hello().position
        // The changes in memory may be behind what the answer reflects.
        if let head = context.hub.head, head.epoch == position.epoch, head.rev < position.rev { position = head }
        let view = try await view(context.client)
        return (EventText.event("shared", id: nil) { $0.fields(view) }, position, view.rev)
    }

    private static func end(_ writer: inout any ResponseBodyWriter, _ hub: ChangeHub) async throws {
        hub.metrics.ended(ServiceError.keyEnded.code.name)
        try await writer.write(ByteBuffer(bytes: EventText.event("ended", id: nil) { $0.field("type", "ended") }))
    }
}
