// SPDX-License-Identifier: Apache-2.0

import WaymarkClient
import WaymarkTransport

extension TailRun {
    /// - Parameter kept: the position in the cursor file; nil if there is none.
    func start(_ welcome: Welcome, _ kept: Position?) async throws -> FeedStart {
        if let kept { return .after(kept) }
        switch asked.range.start {
        case .snapshot: return .snapshot
        case .new: return .after(welcome.position)
        case .oldest: return .after(try await position(before: 0))
        case .newest(let count): return .after(try await newest(count, welcome))
        case .since(.revision(let rev)):
            return .after(Position(epoch: asked.range.epoch ?? welcome.position.epoch, rev: rev))
        case .since(let moment):
            guard let time = moment.time(now: WallClock.milliseconds) else { return .after(welcome.position) }
            return .after(try await position(before: time))
        }
    }

    /// Returns the position at a time. Asks storage, because a query service learns of a compaction a moment later.
    private func position(before time: UInt64) async throws -> Position {
        let located = try await session.client.locate(before: time)
        if located.floor > 1, located.position.rev < located.floor { try reporter.tell(.older(floor: located.floor)) }
        return located.position
    }

    /// Returns where to restart a feed whose position is gone from the log; throws an error if `tail` must end.
    func resume(after refusal: ServiceError) async throws -> FeedStart {
        let position = progress.position
        if asked.range.start.takesWhatIsKept, refusal.code == .compacted, printer.count == 0, let position {
            // The query service learns the new beginning of the log a moment later than storage.
            try reporter.tell(.older(floor: refusal.floor))
            return .after(Position(epoch: position.epoch, rev: max(refusal.floor, 1) - 1))
        }
        switch asked.range.onCompacted {
        case .fail: throw ClientError.refused(refusal)
        case .resnapshot:
            _ = try await greet(past: refusal)
            try reporter.tell(.compacted(position, refusal))
            return .snapshot
        case .skip:
            let welcome = try await greet(past: refusal)
            var next = welcome.position
            var skipped: UInt64?
            if refusal.code == .compacted, let position, position.epoch == next.epoch {
                next.rev = max(refusal.floor, welcome.floor, 1) - 1
                skipped = next.rev - min(next.rev, position.rev)
            }
            try reporter.tell(.compacted(position, refusal, next: next, skipped: skipped))
            return .after(next)
        }
    }

    /// Waits for a limited time until the query service, too, has noticed the new history.
    private func greet(past refusal: ServiceError, longest: Duration = .seconds(5)) async throws -> Welcome {
        var pause = Duration.milliseconds(100)
        while true {
            let welcome = try await session.greet()
            let here = welcome.position
            guard refusal.code == .epochChanged, let gone = progress.position, here.epoch == gone.epoch,
                here.run == gone.run, pause < longest
            else { return welcome }
            try await Task.sleep(for: pause)
            pause *= 2
        }
    }

    /// Sets the last revision to print if `--until` names a revision or a time in the past.
    func setEnd() async throws {
        switch asked.range.until {
        case nil: break
        case .revision(let rev): _ = progress.end(with: rev)
        case let moment?:
            guard let time = moment.time(now: WallClock.milliseconds) else { return }
            _ = progress.end(with: try await session.client.locate(before: time).position.rev)
        }
    }

    /// The time in Unix milliseconds if `--until` names a time in the future; otherwise nil.
    var timeToCome: UInt64? {
        guard case .time(let time)? = asked.range.until, time > WallClock.milliseconds else { return nil }
        return time
    }

    /// Returns once all changes made before `time` are printed.
    func waitUntil(_ time: UInt64) async {
        while !Task.isCancelled {
            // The clock may be set meanwhile, so read it at least once a minute.
            let left = min(Int64(clamping: time) - Int64(clamping: WallClock.milliseconds), 60_000)
            if left > 0 {
                try? await Task.sleep(for: .milliseconds(left))
            } else if let located = try? await session.client.locate(before: time) {
                if !progress.end(with: located.position.rev) { return }
                break
            } else {
                try? await Task.sleep(for: .milliseconds(250))
            }
        }
        // `tail` ends by printing the remaining changes, so wait until this task is cancelled.
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3_600)) }
    }

    /// Adds the present range of the log to an error that lacks it, for a person who has to start again.
    func failure(_ error: ClientError) async -> any Error {
        guard ExitStatus(error) == .historyGone, var failure = Failure(error) else { return error }
        if failure.kept == nil, case .refused(let refusal) = error,
            let welcome = try? await greet(past: refusal, longest: .seconds(1)), welcome.floor <= welcome.position.rev
        {
            failure.kept = max(welcome.floor, 1)...max(welcome.position.rev, 1)
            failure.message += " The log has revisions \(max(welcome.floor, 1)) to \(welcome.position.rev)."
        }
        failure.message += " To continue anyway: --on-compacted resnapshot or skip."
        return failure
    }
}
