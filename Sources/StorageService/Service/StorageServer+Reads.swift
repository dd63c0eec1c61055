// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import Landmarks
import SwiftProtobuf
import WaymarkProtocol
import WaymarkTransport

extension StorageServer {
    /// Executes a command that changes nothing, away from the loop.
    func read(
        _ command: WireRequest.OneOf_Command, _ header: RequestHeader
    ) async throws(ServiceError) -> [UInt8] {
        guard let reader = lane?.reader else { throw EngineError.closed.serviceError }
        switch command {
        case .beginBackup: return try await beginBackup(header)
        case .readBackup(let piece): return try await readBackup(piece)
        default: break
        }
        do throws(EngineError) {
            switch command {
            case .changes(let changes):
                return try await self.changes(changes, reader)
            case .locate(let locate):
                return try await self.locate(locate, reader)
            case .snapshot(let snapshot):
                return try await self.snapshot(snapshot, reader)
            case .show(let show):
                return try await self.show(show, reader)
            case .track(let track):
                return try await self.track(track, reader)
            case .search(let search):
                return try await self.search(search, header, reader)
            case .sources:
                let sources = try await reader.sources()
                return WireReply.with { $0.sources = .with { $0.sources = sources } }.encoded
            case .sourceKeys(let keys):
                let page = try await reader.sourceKeys(
                    keys.source.normal, after: keys.after, limit: rows(keys.limit, 5_000, WaymarkProtocol.bulkRows))
                return WireReply.with {
                    $0.sourceKeys = .with {
                        $0.keys = page.keys
                        $0.more = page.hasMore
                    }
                }.encoded
            case .compact(let compact):
                return try await self.compact(compact, reader)
            case .status:
                return try await status(reader)
            default:
                break
            }
        } catch {
            throw error.serviceError
        }
        throw .unknownCommand
    }

    private func changes(_ request: WireChanges, _ reader: any StorageReader) async throws(EngineError) -> [UInt8] {
        let since: Position
        let filter: FeedFilter
        do throws(InvalidInput) {
            (since, filter) = (try Position(request.since), try FeedFilter(request.filter))
        } catch {
            return WireReply(ServiceError(error)).encoded
        }
        guard let lane else { throw .closed }
        guard since.epoch == lane.position.epoch else { return WireReply(otherEpoch(lane)).encoded }
        let page = try await reader.changes(
            since: since.rev, run: since.run, matching: filter,
            limit: rows(request.limit, 1_000, WaymarkProtocol.bulkRows),
            maxBytes: WaymarkProtocol.pageBytes)
        return WireReadyReply.with {
            $0.changes = .with {
                $0.changes = page.changes
                $0.operations = page.operations.map { UInt32(WireChange.Operation($0).rawValue) }
                $0.through = page.through
                $0.head = page.head
                $0.floor = page.floor
                $0.run = run.wire
            }
        }.encoded
    }

    private func locate(_ request: WireLocate, _ reader: any StorageReader) async throws(EngineError) -> [UInt8] {
        let found = try await reader.locate(before: request.at)
        guard let epoch = lane?.position.epoch else { throw .closed }
        return WireReply.with {
            $0.located = .with {
                $0.position = Position(epoch: epoch, rev: found.rev, run: run).wire
                $0.floor = found.floor
            }
        }.encoded
    }

    private func snapshot(_ request: WireSnapshot, _ reader: any StorageReader) async throws(EngineError) -> [UInt8] {
        guard request.after.isEmpty || request.after.count == 16 else {
            return WireReply(ServiceError(.missing("the 16 bytes of the last id"))).encoded
        }
        let filter: FeedFilter
        do throws(InvalidInput) { filter = try FeedFilter(request.filter) } catch {
            return WireReply(ServiceError(error)).encoded
        }
        guard filter.operations.isEmpty else {
            let wrong = InvalidInput.outOfRange("filter of a snapshot", "without operations")
            return WireReply(ServiceError(wrong)).encoded
        }
        let page = try await reader.snapshot(
            after: UUIDv7(bytes: request.after), matching: filter,
            limit: rows(request.limit, 5_000, WaymarkProtocol.bulkRows),
            maxBytes: WaymarkProtocol.pageBytes)
        return WireReadyReply.with {
            $0.snapshot = .with {
                $0.landmarks = page.records
                $0.next = page.next?.wire ?? Data()
                $0.total = page.total
                $0.head = page.rev
            }
        }.encoded
    }

    private func show(_ request: WireShow, _ reader: any StorageReader) async throws(EngineError) -> [UInt8] {
        guard let id = UUIDv7(bytes: request.id) else { throw .notFound }
        let found = try await reader.show(id, historyLimit: rows(request.historyLimit, 100, WaymarkProtocol.pageRows))
        return WireReadyReply.with {
            $0.shown = .with {
                $0.landmark = found.record
                $0.history = found.history
                $0.historyCut = found.isCut
            }
        }.encoded
    }

    private func track(_ request: WireTrack, _ reader: any StorageReader) async throws(EngineError) -> [UInt8] {
        guard let id = UUIDv7(bytes: request.id) else { throw .notFound }
        let page = try await reader.track(
            id, since: request.since, after: request.after, limit: rows(request.limit, 1_000, WaymarkProtocol.bulkRows))
        return WireReply.with {
            $0.track = .with {
                $0.points = page.points.map(WireTrackPoint.init)
                $0.next = page.next ?? 0
            }
        }.encoded
    }

    /// Searches texts, best match first. Searches by place are the query service's.
    private func search(
        _ request: WireSearch, _ header: RequestHeader, _ reader: any StorageReader
    ) async throws(EngineError) -> [UInt8] {
        let text: SearchText
        let filter: LandmarkFilter
        do throws(InvalidInput) {
            (text, filter) = (try SearchText(request.text), try LandmarkFilter(request.filter))
            guard filter.area == nil else { throw .outOfRange("filter of a search", "without an area") }
        } catch {
            return WireReply(ServiceError(error)).encoded
        }
        let limit = rows(request.limit, 20, WaymarkProtocol.bulkRows)
        let found = try await reader.search(
            text, limit: limit, filter: filter, atLeast: header.atLeast.rev)
        var hits = WireReadyHits()
        hits.searchedRev = found.searchedThrough
        hits.truncated = found.isTruncated
        var bytes = 0
        for match in found.matches {
            let landmark = request.idsOnly ? Data(WireLandmark.with { $0.id = match.id.wire }.encoded) : match.record
            bytes += landmark.count
            guard bytes <= WaymarkProtocol.pageBytes else {
                hits.truncated = true
                break
            }
            hits.hits.append(.with { $0.landmark = landmark })
        }
        return WireReadyReply.with { $0.hits = hits }.encoded
    }

    private func status(_ reader: any StorageReader) async throws(EngineError) -> [UInt8] {
        let numbers = try await reader.numbers()
        guard let lane, let server = replies?.server, let publisher else { throw .closed }
        let own = [
            ("commits", counters.commits), ("commands", counters.commands), ("changes", counters.changes),
            ("commits_failed", counters.failedCommits),
            ("changes_forgotten", counters.forgotten), ("track_points_forgotten", counters.forgottenPoints),
            ("backups", counters.backups),
            ("last_commit_us", UInt64(counters.lastCommit / .microseconds(1))),
            ("writes_refused_by_disk", lane.remote.condition == .writable ? 0 : 1),
        ].map { name, value in
            WireCounter.with {
                $0.name = name
                $0.value = value
            }
        }
        return WireReply.with {
            $0.status = .with {
                $0.storage = .with {
                    $0.version = Product.version
                    $0.epoch = lane.position.epoch.wire
                    $0.run = run.wire
                    $0.head = lane.position.rev
                    $0.floor = lane.floor
                    $0.landmarks = numbers.landmarks
                    $0.uptimeMs = Monotonic.milliseconds - started
                    $0.databaseBytes = numbers.databaseBytes
                    $0.changesEndpoint = announcedFeed
                    $0.searchRev = numbers.searchRev
                    $0.counters = own + server.counters.wire + publisher.counters.wire
                }
            }
        }.encoded
    }

    /// The most rows of a page: the requested number, within the limit.
    private func rows(_ asked: UInt32, _ standard: Int, _ most: Int) -> Int {
        asked == 0 ? standard : min(Int(asked), most)
    }
}

extension ServiceError {
    static let otherEpoch = EngineError.otherHistory.serviceError
    static let undecided = EngineError.undecided.serviceError
}
