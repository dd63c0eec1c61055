// SPDX-License-Identifier: Apache-2.0

import EngineParts
import FoundationEssentials
import Landmarks
import SwiftProtobuf
import WaymarkProtocol
import WaymarkTransport

/// Reads of landmarks, of the change log and of the text search.
final class StorageReads {
    private let run: UUIDv7
    private let executor: EngineExecutor

    init(run: UUIDv7, executor: EngineExecutor, _ handlers: ReadHandlers) {
        (self.run, self.executor) = (run, executor)
        handlers.on(
            .changes, .locate, .snapshot, .show, .track, .search, .sources, .sourceKeys, .fences, .hooks, .hookFailures,
            .grants, .findGrant
        ) { (command, header) throws(ServiceError) in
            do { return try await self.read(command, header) } catch {
                if let error = error as? InvalidInput { return WireReply(ServiceError(error)).encoded }
                throw EngineError(error).serviceError
            }
        }
    }

    private var reader: any StorageReader { executor.reader }

    private nonisolated(nonsending) func read(
        _ command: WireRequest.OneOf_Command, _ header: RequestHeader
    ) async throws -> [UInt8] {
        let asker = Asker(account: header.account, user: header.user)
        var reply = WireReply()
        switch command {
        case .grants(let request):
            reply.grants = try await reader.grants(
                request, by: asker, limit: page(request.limit), now: WallClock.milliseconds)
        case .findGrant(let request):
            reply.grants = try await reader.findGrant(request.digest, now: WallClock.milliseconds)
        case .changes(let request): return try await changes(request)
        case .locate(let request):
            let found = try await reader.locate(before: request.at)
            reply.located.position = Position(epoch: executor.position.epoch, rev: found.rev, run: run).wire
            reply.located.floor = found.floor
        case .snapshot(let request): return try await snapshot(request)
        case .show(let request): return try await show(request)
        case .track(let request):
            guard let id = UUIDv7(bytes: request.id) else { throw EngineError.notFound }
            reply.track = try await reader.track(
                id, since: request.since, after: request.after, limit: rows(request.limit, 1_000))
        case .search(let request): return try await search(request, header)
        case .sources: reply.sources.sources = try await reader.sources()
        case .sourceKeys(let request):
            reply.sourceKeys = try await reader.sourceKeys(
                request.source.normal, after: request.after, limit: rows(request.limit, 5_000))
        case .fences(let request):
            reply.fences = try await reader.fences(request, by: asker, limit: page(request.limit))
        case .hooks(let request):
            reply.hooks = try await reader.hooks(request, by: header.account, limit: page(request.limit))
        case .hookFailures(let request):
            let failures = try await reader.hookFailures(request, by: header.account, limit: page(request.limit))
            guard let failures else { return WireReply(Refusal.noHook(request.name)).encoded }
            reply.hookFailures = failures
        default: return WireReply(.unknownCommand).encoded
        }
        return reply.encoded
    }

    private nonisolated(nonsending) func changes(_ request: WireChanges) async throws -> [UInt8] {
        let (since, filter) = (try Position(request.since), try FeedFilter(request.filter))
        guard since.epoch == executor.position.epoch else { return WireReply(executor.otherEpoch).encoded }
        var page = try await reader.changes(
            since: since.rev, run: since.run, matching: filter, limit: rows(request.limit, 1_000),
            maxBytes: WaymarkProtocol.pageBytes)
        page.run = run.wire
        return WireRawReply.with { $0.changes = page }.encoded
    }

    private nonisolated(nonsending) func snapshot(_ request: WireSnapshot) async throws -> [UInt8] {
        guard request.after.isEmpty || request.after.count == 16 else {
            throw InvalidInput.missing("the 16 bytes of the last id")
        }
        let filter = try FeedFilter(request.filter)
        guard filter.operations.isEmpty else {
            throw InvalidInput.outOfRange("filter of a snapshot", "without operations")
        }
        let page = try await reader.snapshot(
            after: UUIDv7(bytes: request.after), matching: filter, limit: rows(request.limit, 5_000),
            maxBytes: WaymarkProtocol.pageBytes)
        return WireRawReply.with { $0.snapshot = page }.encoded
    }

    private nonisolated(nonsending) func show(_ request: WireShow) async throws -> [UInt8] {
        guard let id = UUIDv7(bytes: request.id) else { throw EngineError.notFound }
        let shown = try await reader.show(id, historyLimit: rows(request.historyLimit, 100, WaymarkProtocol.pageRows))
        return WireRawReply.with { $0.shown = shown }.encoded
    }

    /// Searches for text, best match first. The query service does the searches by coordinate.
    private nonisolated(nonsending) func search(
        _ request: WireSearch, _ header: RequestHeader
    ) async throws -> [UInt8] {
        let (text, filter) = (try SearchText(request.text), try LandmarkFilter(request.filter))
        guard filter.area == nil else { throw InvalidInput.outOfRange("filter of a search", "without an area") }
        let found = try await executor.index.search(
            text, limit: rows(request.limit, 20), filter: filter, atLeast: header.atLeast.rev)
        var hits = WireRawHits()
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
        return WireRawReply.with { $0.hits = hits }.encoded
    }

    /// Returns the maximum number of rows of a page whose rows are decoded one by one.
    private func page(_ asked: UInt32) -> Int { rows(asked, 1_000, WaymarkProtocol.pageRows) }

    /// Returns the maximum number of rows of a page: `asked`, but at most `most`; `standard` if `asked` is 0.
    private func rows(_ asked: UInt32, _ standard: Int, _ most: Int = WaymarkProtocol.bulkRows) -> Int {
        asked == 0 ? standard : min(Int(asked), most)
    }
}
