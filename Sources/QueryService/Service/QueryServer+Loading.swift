// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import Logging
import SwiftProtobuf
import WaymarkProtocol
import WaymarkTransport

/// How far the loading of a replica has come.
public struct LoadProgress: Hashable, Sendable {
    /// Landmarks that have been read.
    public var landmarks = 0
    /// Landmarks that storage says there are; 0: it has not said.
    public var total: UInt64 = 0
    /// Why it does not go on, or had to begin anew, in one sentence; nil while all is well.
    public var trouble: String?
}

extension QueryServer {
    /// How far the loading has come that is under way; nil while there is none.
    public var loading: LoadProgress? { loadingTask == nil ? nil : progress }

    /// Loads a replica: where history stands, then all landmarks page by page, each page as it is when it is read.
    ///
    /// The pages are not of one revision. That does not matter: every change after the position at which loading began
    /// is applied again, a landmark's own revision tells whether a change is in it already, and once the feed has been
    /// followed to any revision that is not below the last page's the replica is exactly the state at that revision.
    /// So no long read transaction keeps storage's log of writes from being checkpointed.
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

    /// One page of the snapshot. A storage that is busy, or does not answer, is asked for the same page again: to begin
    /// anew would be more work for one that has too much already, and might never end.
    ///
    /// - Throws: it is another storage than the one that was greeted, or it refuses for good: loading begins anew.
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
        // Who starts a service and its storage together need not hear that one was up before the other.
        if progress.trouble != error.message, pauses.count > 2 || !error.code.isRetryable {
            logger.warning(
                "the landmarks cannot be loaded yet", metadata: ["code": "\(error.code.name)", "reason": "\(error)"])
        }
        progress.trouble = error.message
        try? await Task.sleep(for: pauses.next(asked: error.retryAfter))
    }
}

/// How long to wait before storage is asked again: twice as long each time.
private struct LoadPauses {
    private(set) var count = 0
    private var pause = Duration.milliseconds(50)

    /// - Parameter asked: the milliseconds that storage asks to wait at least.
    mutating func next(asked: UInt32) -> Duration {
        defer { (count, pause) = (count + 1, min(pause * 2, .seconds(2))) }
        return max(pause, .milliseconds(min(Int64(asked), 10_000)))
    }
}

extension ServiceError {
    /// Nil when the encoded `Reply` is no failure.
    init?(ofReply body: [UInt8]) {
        guard ErrorCode(ofReply: body) != nil,
            case .failure(let failure)? = (try? WireReply(serializedBytes: body))?.result
        else { return nil }
        self.init(failure)
    }

    static let storageRestarted = ServiceError(
        .unavailable, "Storage was started again while its landmarks were read: they are read from the beginning.")
    static let unreadableLandmarks = ServiceError(
        .internal, "Storage has a landmark that this release cannot read: bring both to the same release.")
}
