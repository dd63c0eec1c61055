// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import FoundationEssentials
internal import Landmarks
import Logging
import SwiftProtobuf
import WaymarkProtocol
internal import WaymarkTransport

/// The progress of loading a replica.
public struct LoadProgress: Hashable, Sendable {
    /// The number of landmarks read so far.
    public var landmarks = 0
    /// The number of landmarks in storage; 0 while unknown.
    public var total: UInt64 = 0
    /// The reason why loading waits or had to start again, in one sentence; nil while loading proceeds.
    public var trouble: String?
}

/// The state of loading a replica, until the replica has caught up with storage.
struct ReplicaLoad {
    var task: Task<Void, Never>?
    var progress = LoadProgress()
    /// A loaded replica that has not caught up with storage. It does not answer yet, because its landmarks may have
    /// different revisions.
    var loaded: Replica?
    /// The time of the last message from the old feed before this load began, in milliseconds on the monotonic clock.
    var lastHeard = Monotonic.milliseconds
}

extension ReplicaSync {
    /// The progress of the load; nil while no replica is being loaded.
    var loading: LoadProgress? { state.phase == .loading ? load.progress : nil }

    /// Loads a replica: first storage's position, then all landmarks, page by page.
    ///
    /// The pages have different revisions, which is harmless. All changes after the first position are applied to the
    /// replica, and a landmark's own revision shows whether it already contains a change. Once the feed has reached the
    /// revision of the last page, or a later one, the replica has exactly the state of that revision. So storage needs
    /// no long read transaction, which would keep it from checkpointing its WAL.
    nonisolated(nonsending) func loadReplica() async {
        load.progress = LoadProgress()
        var pauses = SnapshotPauses()
        while !Task.isCancelled, isOpen {
            do throws(ServiceError) {
                try await loadOnce()
                return
            } catch {
                await wait(&pauses, because: error)
            }
        }
    }

    /// The maximum number of pages in memory that are not yet read. A page takes half a megabyte.
    private static let mostUnread = 3

    private nonisolated(nonsending) func loadOnce() async throws(ServiceError) {
        let welcome = try await link.hello()
        guard let epoch = UUIDv7(bytes: welcome.epoch), let run = UUIDv7(bytes: welcome.run) else {
            throw .unexpectedAnswer
        }
        link.state.greeted(epoch: epoch, head: welcome.head)
        let position = Position(epoch: epoch, rev: welcome.head, run: run)
        let reader = SnapshotReader(at: position)
        var reading = SnapshotReading(from: position)
        // Another thread reads the pages, in order, while storage makes the next pages.
        var unread: [Task<SnapshotReader.Reading, Never>] = []
        // The head of a page is not needed (0), because the feed brings all changes after the last page.
        while case .page(let after) = reading.step {
            let answer = try await page(after: after)
            if unread.count == Self.mostUnread { _ = try await unread.removeFirst().value.get() }
            guard let next = SnapshotPage.cursor(of: answer.body) else { throw .unexpectedAnswer }
            do throws(SnapshotReading.Failure) {
                try reading.page(next: next, head: 0, position: answer.position)
            } catch {
                throw .storageRestarted
            }
            let last = unread.last
            unread.append(home.spawn { await self.read(answer.body, with: reader, after: last) })
        }
        for task in unread { _ = try await task.value.get() }
        let loaded = await reader.replica()
        loaded.region = options.region
        guard isOpen, !Task.isCancelled else { return }
        counters.loads += 1
        link.state.floor = welcome.floor
        load.loaded = loaded
        handle(.loaded)
    }

    private nonisolated(nonsending) func read(
        _ page: [UInt8], with reader: SnapshotReader, after last: Task<SnapshotReader.Reading, Never>?
    ) async -> SnapshotReader.Reading {
        let reading = await reader.read(page, after: last)
        if case .success(let read) = reading {
            // `total` counts all landmarks of storage, so it is not used for a region.
            (load.progress.landmarks, load.progress.total) = (read.count, options.region == nil ? read.total : 0)
        }
        return reading
    }

    /// Requests one page of the snapshot. If storage is busy or does not answer, the same page is requested again.
    /// Starting over would cause a busy storage more work, and might never end.
    ///
    /// - Throws: an error if storage refuses for good. The caller then starts over.
    private nonisolated(nonsending) func page(after: [UInt8]) async throws(ServiceError) -> (
        position: Position?, body: [UInt8]
    ) {
        let request = WireRequest.with {
            $0.snapshot.after = Data(after)
            if let filter = options.feedFilter { $0.snapshot.filter = filter.wire }
        }
        var pauses = SnapshotPauses()
        let troubleBefore = load.progress.trouble
        while true {
            do throws(ServiceError) {
                let answer = try await link.askEncoded(request, timeout: .seconds(30))
                load.progress.trouble = troubleBefore
                return answer
            } catch {
                guard error.code.isRetryable, isOpen, !Task.isCancelled else { throw error }
                await wait(&pauses, because: error)
            }
        }
    }

    private nonisolated(nonsending) func wait(_ pauses: inout SnapshotPauses, because error: ServiceError) async {
        // A missing storage is not logged here, because `StorageLink.tellIfMissing()` logs it sooner.
        let isMissing = !link.isConnected && error.code == .unavailable
        if load.progress.trouble != error.message, !isMissing, pauses.count > 2 || !error.code.isRetryable {
            home.logger.warning(
                "the landmarks cannot be loaded yet", metadata: ["code": "\(error.code.name)", "reason": "\(error)"])
        }
        load.progress.trouble = error.message
        try? await Task.sleep(for: pauses.next(asked: error.retryAfter))
    }
}

extension ServiceError {
    static let storageRestarted = ServiceError(
        .unavailable, "Storage was restarted while its landmarks were read: reading starts again.")
    static let unreadableLandmarks = ServiceError(
        .internal, "Storage has a landmark that this release cannot read: bring both to the same release.")
}
