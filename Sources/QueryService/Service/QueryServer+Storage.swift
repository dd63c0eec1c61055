// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import FoundationEssentials
import Geodesy
internal import Landmarks
import Logging
import SwiftProtobuf
import WaymarkProtocol
internal import WaymarkTransport

/// Numbers the requests that the service makes itself.
struct RequestNumbers {
    let client: UUIDv7
    private var last: UInt64 = 0

    init(client: UUIDv7) { self.client = client }

    mutating func next() -> RequestKey {
        last += 1
        return RequestKey(client: client, sequence: last)
    }
}

/// Requests that the query service makes to storage itself.
extension QueryServer {
    /// Sends a request to storage and waits at most `timeout`.
    ///
    /// - Returns: storage's position from the answer's header, and the encoded `Reply`, which may be a failure.
    func askEncoded(
        _ request: WireRequest, atLeast: Position? = nil, version: UInt8? = nil, timeout: Duration = .seconds(5)
    ) async throws(ServiceError) -> (position: Position?, body: [UInt8]) {
        let answer = try await askOnce(request, atLeast: atLeast, version: version, timeout: timeout)
        // Storage is of another release than when this was sent: greet it again, once.
        guard version == nil, ErrorCode(ofReply: answer.body) == .protocolVersion else { return answer }
        _ = try await helloStorage()
        return try await askOnce(request, atLeast: atLeast, version: nil, timeout: timeout)
    }

    private func askOnce(
        _ request: WireRequest, atLeast: Position?, version: UInt8?, timeout: Duration
    ) async throws(ServiceError) -> (position: Position?, body: [UInt8]) {
        guard let storage else { throw .storageAway }
        let header = RequestHeader(key: numbers.next(), atLeast: atLeast)
        let body = request.encoded
        let outcome = await withCheckedContinuation { (continuation: CheckedContinuation<ChannelOutcome, Never>) in
            storage.submit(
                header, body: body, version: version, milliseconds: UInt64(timeout / .milliseconds(1))
            ) {
                continuation.resume(returning: $0)
            }
        }
        if case .tooLarge = outcome { throw .requestTooLarge }
        guard case .answered(let header, let body, _) = outcome else { throw .storageAway }
        facts.answered(at: header.position)
        return (header.position, body)
    }

    func ask(
        _ request: WireRequest, atLeast: Position? = nil, version: UInt8? = nil, timeout: Duration = .seconds(5)
    ) async throws(ServiceError) -> WireReply {
        let body = try await askEncoded(request, atLeast: atLeast, version: version, timeout: timeout).body
        guard let reply = try? WireReply(serializedBytes: body) else { throw .unexpectedAnswer }
        if case .failure(let failure)? = reply.result { throw ServiceError(failure) }
        return reply
    }

    /// Greets storage, and speaks the version that storage chose from then on.
    func helloStorage() async throws(ServiceError) -> WireWelcome {
        let versions = options.protocolVersions
        let reply = try await ask(
            .with {
                $0.hello = .with {
                    $0.minProtocol = UInt32(versions.lowerBound)
                    $0.maxProtocol = UInt32(versions.upperBound)
                    $0.agent = "waymark-query \(Product.version)"
                }
            }, version: versions.lowerBound)
        guard case .welcome(let welcome)? = reply.result else { throw .unexpectedAnswer }
        try storage?.speak(welcome.protocol)
        facts.version = storage?.version ?? facts.version
        follow(at: address(in: welcome))
        return welcome
    }

    /// - Parameter spoken: the protocol version of the request.
    func welcome(_ hello: WireHello, spoken: UInt8) -> WireReply {
        let chosen: UInt8
        do throws(ServiceError) {
            chosen = try hello.agreed(spoken: spoken, ours: spokenWithClients)
        } catch {
            return WireReply(error)
        }
        guard let replica else { return WireReply(.notLoaded) }
        let feed = feedOffered
        return .with {
            $0.welcome = .with {
                $0.service = "waymark-query"
                $0.version = Product.version
                $0.protocol = UInt32(chosen)
                $0.epoch = replica.position.epoch.wire
                $0.run = run.wire
                $0.head = replica.position.rev
                $0.floor = knownFloor
                $0.changesEndpoint = feed.endpoint
                $0.limits = .ours
                $0.beaconMs = UInt32(WaymarkProtocol.beaconMilliseconds)
                $0.feedVersion = UInt32(feed.form.rawValue)
                if let key = feed.key { $0.changesKey = Data(key.bytes) }
            }
        }
    }

    /// At most the version that storage speaks, because a client's request may be forwarded unchanged.
    var spokenWithClients: ClosedRange<UInt8> { options.protocolVersions.lowerBound...facts.version }

    // MARK: Answers that need both services

    func answerStatus(_ request: IncomingRequest) {
        let address = request.address
        work.assembling += 1
        Task {
            defer { work.assembling -= 1 }
            var report = WireStatusReport()
            if !isStorageAway,
                case .status(let theirs)? = try? await ask(
                    .with { $0.status = WireStatus() }, timeout: .seconds(2)
                ).result
            {
                report.storage = theirs.storage
            }
            report.query = status
            answer(address, WireReply.with { $0.status = report }.encoded)
        }
    }

    private var status: WireQueryStatus {
        .with {
            $0.version = Product.version
            $0.run = run.wire
            $0.ready = state.isServing
            $0.epoch = replica?.position.epoch.wire ?? Data()
            $0.rev = replica?.position.rev ?? 0
            $0.lag = facts.head - min(facts.head, replica?.position.rev ?? 0)
            $0.landmarks = UInt64(replica?.count ?? 0)
            $0.uptimeMs = Monotonic.milliseconds - started
            $0.storageAway = isStorageAway
            $0.ageMs = UInt32(clamping: age)
            $0.storageEndpoint = storage?.endpoint ?? options.storageNames
            $0.changesEndpoint = feedOffered.endpoint
            let health = health().wire
            ($0.problems, $0.remarks) = (health.problems, health.remarks)
            let feed = follower?.counters
            let ofFeed = [
                ("feed_live", feed?.live ?? 0), ("feed_pulled", feed?.pulled ?? 0), ("feed_pulls", feed?.pulls ?? 0),
                ("feed_gaps", feed?.gaps ?? 0), ("feed_runs", feed?.runs ?? 0),
            ].map { name, value in
                WireCounter.with {
                    $0.name = name
                    $0.value = value
                }
            }
            $0.counters = counters.wire + ofFeed + (relay?.wire ?? []) + (server?.counters.wire ?? [])
        }
    }

    /// Storage ranks the matches by their words. The places and the landmarks themselves come from the replica.
    func answerSearch(
        _ search: WireSearch, _ command: WireRequest.OneOf_Command, _ request: IncomingRequest
    ) {
        if let halted = state.halted { return refuse(request.address, halted) }
        if options.region != nil {
            // Storage has the landmarks of the matches, and in the same order; but not by distance.
            return search.hasNear ? refuse(request, .outside(options.region)) : forward(request)
        }
        guard !isStorageAway else { return refuse(request.address, .storageAway) }
        do throws(ServiceError) {
            if let wanted = try missing(request.header) { return park(command, request, until: wanted) }
        } catch {
            return refuse(request.address, error)
        }
        let (address, header) = (request.address, request.header)
        work.assembling += 1
        Task {
            defer { work.assembling -= 1 }
            do throws(ServiceError) {
                answer(address, try await searched(search, header))
            } catch {
                refuse(address, error)
            }
        }
    }

    private func searched(_ search: WireSearch, _ header: RequestHeader) async throws(ServiceError) -> [UInt8] {
        let limit: Int
        let centre: Coordinate?
        do throws(InvalidInput) {
            limit = try PageLimit.rows(search.limit, standard: 20)
            centre = search.hasNear ? try Coordinate(wireLatitude: search.near.lat, longitude: search.near.lng) : nil
        } catch {
            throw ServiceError(error)
        }
        var question = search
        question.idsOnly = true
        // Nearest first needs all matches: a limit applied before sorting could drop the nearest.
        question.limit = UInt32(centre == nil ? limit : WaymarkProtocol.bulkRows)
        let request = WireRequest.with { $0.search = question }
        let body = try await askEncoded(request, atLeast: header.hasAtLeast ? header.wanted : nil).body
        if let refusal = ServiceError(ofReply: body) { throw refusal }
        guard let found = FoundTexts(reply: body) else { throw .unexpectedAnswer }
        guard let replica else { throw .notLoaded }
        return replica.searched(found, from: centre, limit: limit).encoded
    }

    /// Without storage there is no history to show, but the replica has the landmark.
    func answerShowAlone(_ show: WireShow, _ request: IncomingRequest) {
        guard let id = UUIDv7(bytes: show.id), let record = replica?[id] else {
            let unknown = options.region == nil ? ServiceError.noSuchLandmark : .outside(options.region)
            refuse(request, replica == nil ? .notLoaded : unknown)
            return
        }
        answer(
            request.address,
            WireReadyReply.with {
                $0.shown = .with {
                    $0.landmark = Data(record.bytes)
                    $0.historyCut = true
                }
            }.encoded)
    }
}
