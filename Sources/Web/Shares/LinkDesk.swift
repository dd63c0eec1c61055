// SPDX-License-Identifier: Apache-2.0

internal import WaymarkClient
internal import WaymarkTransport
internal import ZeroMQ

/// The streams of links. Storage is asked about each link once a second for all its streams, because a link may be
/// ended by hand.
final class LinkDesk: Sendable {
    private struct Watch {
        var link: SharedLink?
        var readers: Set<Int> = []
        var looking: Task<Void, Never>?
    }

    /// The maximum number of streams, of all links and of one.
    private static let (mostReaders, mostOfOne) = (1_000, 100)
    private static let pace = Duration.seconds(1)

    private let hub: ChangeHub
    private let client: WaymarkClient
    private let watches = Locked<[CurveKey: Watch]>([:])

    init(_ hub: ChangeHub, _ client: WaymarkClient) {
        (self.hub, self.client) = (hub, client)
    }

    func hasRoom(for link: SharedLink) -> Bool { watches.withLock { Self.hasRoom(for: link, $0) } }

    private static func hasRoom(for link: SharedLink, _ watches: [CurveKey: Watch]) -> Bool {
        let all = watches.values.reduce(0) { $0 + $1.readers.count }
        return all < mostReaders && (watches[link.grant.digest]?.readers.count ?? 0) < mostOfOne
    }

    /// Adds a reader of the hub; ``leave(_:_:)`` must follow.
    ///
    /// - Returns: false if there is no room for it.
    func enter(_ reader: Int, _ link: SharedLink) -> Bool {
        let digest = link.grant.digest
        return watches.withLock { watches in
            guard Self.hasRoom(for: link, watches) else { return false }
            if watches[digest] == nil {
                watches[digest] = Watch(link: link, looking: Task { await self.look(digest) })
            }
            watches[digest]?.readers.insert(reader)
            return true
        }
    }

    func leave(_ reader: Int, _ link: SharedLink) {
        let digest = link.grant.digest
        let over = watches.withLock { watches -> Task<Void, Never>? in
            watches[digest]?.readers.remove(reader)
            guard watches[digest]?.readers.isEmpty == true else { return nil }
            return watches.removeValue(forKey: digest)?.looking
        }
        over?.cancel()
    }

    /// Returns a link that has readers; nil if it has ended.
    func link(_ digest: CurveKey) -> SharedLink? {
        let known = watches.withLock { $0[digest]?.link }
        guard let known, known.grant.expires ?? .max > WallClock.milliseconds else { return nil }
        return known
    }

    /// Asks about a link until its last reader leaves, and wakes its readers when something about it has changed. While
    /// storage is away, the link stays as it was.
    private func look(_ digest: CurveKey) async {
        while true {
            do { try await Task.sleep(for: Self.pace) } catch { return }
            let found: SharedLink?
            do throws(ClientError) { found = try await SharedLink.find(digest, client) } catch { found = link(digest) }
            let woken = watches.withLock { watches -> Set<Int> in
                // A reader that did not wait at the last turn is woken again.
                guard watches[digest]?.link != found || found == nil else { return [] }
                watches[digest]?.link = found
                return watches[digest]?.readers ?? []
            }
            for reader in woken { hub.wake(reader) }
        }
    }
}
