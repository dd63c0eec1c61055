// SPDX-License-Identifier: Apache-2.0

internal import Landmarks
import Logging
import ServiceHost
import WaymarkProtocol
internal import WaymarkTransport
import ZeroMQ

/// The connection to storage: the channel, the requests sent over it, and the state known from storage's answers.
final class StorageLink {
    /// The time in milliseconds without an answer after which storage counts as unreachable. It is longer than the
    /// pause between two reads of the log while the feed is lost.
    private static let patience = UInt64(2 * WaymarkProtocol.beaconsMissed * WaymarkProtocol.beaconMilliseconds)

    let options: QueryOptions
    let answers: Replies
    let home: Home
    /// The channel; nil after `close`.
    private(set) var channel: RequestChannel?
    var state: StorageState
    /// Numbers the requests that the service itself makes.
    var numbers = RequestNumbers()
    var forwarding = Forwarding()
    /// Whether beacons have stopped arriving on storage's feed.
    var isFeedLost = false
    /// Called with each of storage's answers to `hello`, before anything else comes from that storage.
    var greeted: (WireWelcome) -> Void = { _ in }
    /// Called before the answer to a change of accounts is passed on, and awaited.
    var accountsChanged: (nonisolated(nonsending) () async -> Void)?

    init(_ options: QueryOptions, home: Home, answers: Replies) throws(ZeroMQError) {
        (self.options, self.home, self.answers) = (options, home, answers)
        state = StorageState(version: options.protocolVersions.lowerBound)
        channel = try RequestChannel(
            loop: home.loop, context: home.context, endpoints: options.storages, versions: options.protocolVersions,
            security: { [options] in options.storageSecurity($0) },
            hooks: RequestChannel.Hooks(
                accepts: { [weak self] welcome in self?.accepts(welcome) ?? false },
                // Answers that arrive from storage together are also sent to clients together.
                around: { [answers] _, finish in answers.together(finish) },
                onConnection: { [weak self] isThere in self?.changed(isThere) }))
    }

    var logger: Logger { home.logger }
    var isConnected: Bool { channel?.isConnected == true }

    /// Sends the requests that are held back. Called before work that may take long.
    func flush() { channel?.flush() }

    /// Whether storage is unreachable: there is no connection, or no answer arrives on it.
    ///
    /// While the feed is lost, the log is read every second. So a reachable storage has answered recently.
    var isAway: Bool {
        guard let channel, channel.isConnected else { return true }
        return isFeedLost && Monotonic.milliseconds - channel.lastAnswer > Self.patience
    }

    /// The protocol versions offered to clients. None is higher than the version that storage speaks, because a
    /// client's request may be forwarded unchanged.
    var spokenWithClients: ClosedRange<UInt8> { options.protocolVersions.lowerBound...state.version }

    /// Returns the address where storage publishes changes: the configured address for the endpoint in use, else the
    /// address that storage names.
    func feed(in welcome: WireWelcome) -> FeedAddress {
        let place = options.changes.count == 1 ? 0 : channel?.place ?? 0
        guard place < options.changes.count else { return FeedAddress(welcome).found(by: channel?.endpoint ?? "") }
        return FeedAddress(welcome).at(options.changes[place])
    }

    private func changed(_ isThere: Bool) {
        guard isThere else { return logger.warning("storage is away") }
        logger.info("storage connected", metadata: ["storage": "\(channel?.endpoint ?? "")"])
        // The storage that is connected now may speak another protocol version.
        home.spawn {
            _ = try? await self.hello()
        }
    }

    /// Whether the storage that has answered may be used.
    private func accepts(_ welcome: WireWelcome) -> Bool {
        guard let epoch = UUIDv7(bytes: welcome.epoch), let run = UUIDv7(bytes: welcome.run) else { return false }
        let isNews = state.refusedRun != run
        guard state.runs.admit(run, at: Position(epoch: epoch, rev: welcome.head), known: state.known) else {
            state.refusedRun = run
            if isNews {
                logger.warning(
                    "ignoring a superseded storage",
                    metadata: ["storage": "\(channel?.endpoint ?? "")", "head": .stringConvertible(welcome.head)])
            }
            return false
        }
        state.refusedRun = nil
        greeted(welcome)
        return true
    }

    func close() {
        channel?.close()
        channel = nil
    }
}
