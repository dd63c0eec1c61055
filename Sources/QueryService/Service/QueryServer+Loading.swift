// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks
import Logging
import SwiftProtobuf
import WaymarkProtocol
import WaymarkTransport

/// The progress of loading a replica.
public struct LoadProgress: Hashable, Sendable {
    /// Landmarks read so far.
    public var landmarks = 0
    /// Landmarks in storage; 0 until storage reports it.
    public var total: UInt64 = 0
    /// Why loading waits, or had to start again, in one sentence; nil while it proceeds.
    public var trouble: String?
}

extension QueryServer {
    /// The progress of the present load; nil while nothing is being loaded.
    public var loading: LoadProgress? { loadingTask == nil ? nil : progress }

    /// Loads a replica: first storage's position, then all landmarks page by page.
    ///
    /// The pages have different revisions, which is harmless. Every change after the first position is applied again,
    /// and a landmark's own revision shows whether it already contains a change. Once the feed has been followed to a
    /// revision that is not below the last page's, the replica is exactly the state at that revision. So no long read
    /// transaction keeps storage from checkpointing its WAL.
    func load() async {
        progress = LoadProgress()
        var pauses = LoadPauses()
        while !Task.isCancelled, server != nil {
            do throws(ServiceError) {
                try await loadOnce()
                return
            } catch {
                await wait(&pauses, because: error)
            }
        }
    }

    private func loadOnce() async throws(ServiceError) {
        let welcome = try await helloStorage()
        guard let epoch = UUIDv7(bytes: welcome.epoch), let run = UUIDv7(bytes: welcome.run) else {
            throw .unexpectedAnswer
        }
        if storageEpoch != epoch { (storageEpoch, storageHead) = (epoch, welcome.head) }
        var snapshot = ReplicaSnapshot(at: Position(epoch: epoch, rev: welcome.head, run: run))
        var after: [UInt8] = []
        repeat {
            let body = try await page(after: after, of: snapshot.position)
            do throws(InvalidInput) { after = try snapshot.append(page: body) } catch { throw .unexpectedAnswer }
            (progress.landmarks, progress.total) = (snapshot.count, snapshot.total)
        } while !after.isEmpty
        let loaded: Replica
        do throws(InvalidInput) { loaded = try await Replica.made(of: snapshot) } catch { throw .unreadableLandmarks }
        loadingEnded()
        guard server != nil, !Task.isCancelled else { return }
        counters.reloads += 1
        storageFloor = welcome.floor
        adopt(loaded, changesEndpoint: options.changes ?? welcome.changesEndpoint)
    }

    /// Reads one page of the snapshot. If storage is busy or does not answer, the same page is requested again:
    /// starting over would be more work for a busy storage, and might never end.
    ///
    /// - Throws: an error if storage was restarted or refuses permanently; loading then starts again.
    private func page(after: [UInt8], of begun: Position) async throws(ServiceError) -> [UInt8] {
        let request = WireRequest.with { $0.snapshot.after = Data(after) }
        var pauses = LoadPauses()
        let troubleBefore = progress.trouble
        while true {
            do throws(ServiceError) {
                let answer = try await askEncoded(request, timeout: .seconds(30))
                if let refusal = ServiceError(ofReply: answer.body) { throw refusal }
                if let here = answer.position, here.epoch != begun.epoch || here.run ?? begun.run != begun.run {
                    throw .storageRestarted
                }
                progress.trouble = troubleBefore
                return answer.body
            } catch {
                guard error.code.isRetryable, error != .storageRestarted, server != nil, !Task.isCancelled else {
                    throw error
                }
                await wait(&pauses, because: error)
            }
        }
    }

    private func wait(_ pauses: inout LoadPauses, because error: ServiceError) async {
        // Services that are started together need no warning that one was ready before the other.
        if progress.trouble != error.message, pauses.count > 2 || !error.code.isRetryable {
            logger.warning(
                "the landmarks cannot be loaded yet", metadata: ["code": "\(error.code.name)", "reason": "\(error)"])
        }
        progress.trouble = error.message
        try? await Task.sleep(for: pauses.next(asked: error.retryAfter))
    }
}

/// The pauses between attempts: each is twice as long as the one before.
private struct LoadPauses {
    private(set) var count = 0
    private var pause = Duration.milliseconds(50)

    /// - Parameter asked: the least pause that storage asks for, in milliseconds.
    mutating func next(asked: UInt32) -> Duration {
        defer { (count, pause) = (count + 1, min(pause * 2, .seconds(2))) }
        return max(pause, .milliseconds(min(Int64(asked), 10_000)))
    }
}

extension ServiceError {
    /// Nil when the encoded `Reply` is not a failure.
    init?(ofReply body: [UInt8]) {
        guard ErrorCode(ofReply: body) != nil,
            case .failure(let failure)? = (try? WireReply(serializedBytes: body))?.result
        else { return nil }
        self.init(failure)
    }

    static let storageRestarted = ServiceError(
        .unavailable, "Storage was restarted while its landmarks were read: reading starts again.")
    static let unreadableLandmarks = ServiceError(
        .internal, "Storage has a landmark that this release cannot read: bring both to the same release.")
}
