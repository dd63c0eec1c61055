// SPDX-License-Identifier: Apache-2.0

import Geodesy
internal import Landmarks
import SwiftProtobuf
import WaymarkProtocol
internal import WaymarkTransport

/// Text searches. Storage finds and ranks the matches; the answer is assembled from the landmarks in the replica.
extension ReplicaReads {
    func search(_ command: WireRequest.OneOf_Command, _ request: IncomingRequest) {
        guard case .search(let search) = command else { return }
        if let halted = sync.state.halted { return answers.refuse(request.address, halted) }
        if options.region != nil {
            // The replica of a region lacks some of the matches. Storage has all matches and ranks them alike, but
            // cannot sort them by distance.
            return search.hasNear ? fallback.refuse(request, .outside(options.region)) : link.forward(request)
        }
        guard !link.isAway else { return answers.refuse(request.address, .storageAway) }
        do throws(ServiceError) {
            if let wanted = try parked.missing(request.header) {
                return parked.park(command, request, until: wanted)
            }
        } catch {
            return answers.refuse(request.address, error)
        }
        let (address, header) = (request.address, request.header)
        answers.assembling += 1
        home.spawn {
            defer { self.answers.assembling -= 1 }
            do throws(ServiceError) {
                try await self.answer(search, header, to: address)
            } catch {
                self.answers.refuse(address, error)
            }
        }
    }

    private nonisolated(nonsending) func answer(
        _ search: WireSearch, _ header: RequestHeader, to address: ReplyAddress
    ) async throws(ServiceError) {
        let limit = try ServiceError.of { () throws(InvalidInput) in try PageLimit.rows(search.limit, standard: 20) }
        let centre = try ServiceError.of { () throws(InvalidInput) in
            search.hasNear ? try Coordinate(wireLatitude: search.near.lat, longitude: search.near.lng) : nil
        }
        var question = search
        question.idsOnly = true
        // Sorting by distance needs all matches, because a smaller limit could exclude the nearest.
        question.limit = UInt32(centre == nil ? limit : WaymarkProtocol.bulkRows)
        let asked = WireRequest.with { $0.search = question }
        let body = try await link.askEncoded(asked, atLeast: header.hasAtLeast ? header.wanted : nil).body
        guard let found = FoundTexts(reply: body) else { throw .unexpectedAnswer }
        guard let replica = sync.replica else { throw .notLoaded }
        answers.answer(address, found.page(of: replica, from: centre, limit: limit))
    }

    // MARK: Changes

    func changes(_ command: WireRequest.OneOf_Command, _ request: IncomingRequest) {
        guard case .changes(let changes) = command else { return }
        if parked.keep(changes, request) || answerFromRelay(changes, request) { return }
        link.forward(request)
    }

    /// Answers a request for changes from the relay's memory.
    ///
    /// The answer has to include every change that this service knows to be acknowledged, as storage's own answer
    /// would. So the request waits until the relay has reached those changes.
    ///
    /// - Returns: false if storage has to answer.
    private func answerFromRelay(_ changes: WireChanges, _ request: IncomingRequest) -> Bool {
        guard let log = sync.relay?.relay.log, !sync.state.isFeedLost || link.isAway else { return false }
        let state = link.state
        var request = request
        if !request.header.hasAtLeast, state.epoch == log.epoch, state.head > log.head, !link.isAway {
            request.header.ask(atLeast: Position(epoch: log.epoch, rev: state.head))
        }
        if request.header.hasAtLeast {
            guard let wanted = request.header.wanted, wanted.epoch == log.epoch else { return false }
            if wanted.rev > log.head {
                // Storage decides whether a revision beyond its head can exist.
                guard wanted.rev <= state.head, sync.state.phase == .following else { return false }
                parked.park(.changes(changes), request, until: wanted.rev)
                return true
            }
        }
        do throws(InvalidInput) {
            guard let answer = try sync.relay?.answer(changes, floor: sync.knownFloor) else { return false }
            answers.answer(request.address, answer)
        } catch {
            answers.refuse(request.address, ServiceError(error))
        }
        return true
    }
}
