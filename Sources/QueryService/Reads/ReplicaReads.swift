// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
internal import Landmarks
import ServiceHost
import WaymarkProtocol
internal import WaymarkTransport

/// Answers reads from the replica and from the relay's memory.
final class ReplicaReads {
    let options: QueryOptions
    let home: Home
    let answers: Replies
    let sync: ReplicaSync
    let parked: ParkedReads
    let slow: SlowReads
    let zones: OpeningZones
    let fallback: Fallback
    /// Whether the replica's landmarks are put into the order of map tiles before a tile is first requested.
    private var preparesTiles = false

    init(
        _ options: QueryOptions, home: Home, answers: Replies, sync: ReplicaSync, fallback: Fallback,
        parked: ParkedReads, handlers: RequestHandlers
    ) {
        (self.options, self.home, self.answers, self.sync) = (options, home, answers, sync)
        (self.parked, self.fallback) = (parked, fallback)
        slow = SlowReads(home: home, answers: answers, fallback: fallback)
        zones = OpeningZones(options, home: home, answers: answers, handlers: handlers)
        zones.changed = { [weak self] in self?.applyZones() }
        for kind in RequestKind.allCases where kind.row.answerer == .replica {
            handlers.on(kind) { [weak self] command, request in self?.answer(command, request) }
        }
        handlers.on(.search) { [weak self] command, request in self?.search(command, request) }
        handlers.on(.show) { [weak self] command, request in self?.show(command, request) }
        handlers.on(.changes) { [weak self] command, request in self?.changes(command, request) }
    }

    var link: StorageLink { sync.link }

    private func applyZones() { sync.replica?.hoursCache = zones.cache }

    /// Adapts to a new replica, which answers queries from now on.
    func served(_ before: Replica?) {
        applyZones()
        // Waiting requests belong to the old replica, and their positions may be in another history.
        parked.releaseAll()
        slow.refuseAll()
        if preparesTiles || before?.tiles != nil { fillTiles() }
    }

    /// Answers a request, or parks it until the replica has reached the revision that the request requires.
    private func answer(_ command: WireRequest.OneOf_Command, _ request: IncomingRequest) {
        if zones.keep(command, request, hasHours: sync.replica?.hasHours == true) { return }
        do throws(ServiceError) {
            if let halted = sync.state.halted { throw halted }
            guard let replica = sync.replica else { throw .notLoaded }
            if let wanted = try parked.missing(request.header) {
                return parked.park(command, request, until: wanted)
            }
            try slow.begin(replica.answer(command), request)
        } catch {
            fallback.refuse(request, error)
        }
    }

    /// Answers the most frequent kind of query, in its most frequent form, without decoding a message.
    func near(_ fields: NearFields, _ request: IncomingRequest) {
        do throws(ServiceError) {
            if let halted = sync.state.halted { throw halted }
            guard let replica = sync.replica else { throw .notLoaded }
            answers.answer(request.address, try replica.near(fields))
        } catch {
            fallback.refuse(request, error)
        }
    }

    /// Answers from the replica while storage is unreachable. The replica has no history of a landmark.
    private func show(_ command: WireRequest.OneOf_Command, _ request: IncomingRequest) {
        guard case .show(let show) = command, link.isAway else { return link.forward(request) }
        do throws(ServiceError) {
            guard let replica = sync.replica else { throw .notLoaded }
            guard try parked.missing(request.header) == nil else { throw .storageAway }
            guard let record = UUIDv7(bytes: show.id).flatMap({ replica[$0] }) else {
                // A landmark of which the replica has not heard may be new. Another service may hold its region.
                throw options.region == nil ? .storageAway : .outside(options.region)
            }
            answers.answer(
                request.address,
                WireRawReply.with {
                    $0.shown = .with {
                        $0.landmark = Data(record.bytes)
                        $0.historyCut = true
                    }
                }.encoded)
        } catch {
            fallback.refuse(request, error)
        }
    }

    // MARK: Tiles

    /// Puts the replica's landmarks into the order of map tiles now, before a tile is first requested, and again after
    /// each reload. For a million landmarks this takes a second or two, in steps of half a millisecond.
    func prepareTiles() {
        preparesTiles = true
        fillTiles()
    }

    /// Whether map tiles are answered at once.
    var areTilesReady: Bool { sync.replica?.tiles?.isFilled == true }

    /// Does one step now, and schedules the next step for the next iteration of the event loop.
    private func fillTiles() {
        guard answers.server != nil, let replica = sync.replica, !replica.tilesFilled().isFilled else { return }
        home.nextTurn { [weak self] in self?.fillTiles() }
    }

    func close() {
        parked.close()
        fallback.close()
        slow.refuseAll()
    }
}

extension ServiceError {
    static let notLoaded = ServiceError(
        .unavailable, "The service is starting and has not loaded its landmarks yet: try again.", retryAfter: 200)
}
