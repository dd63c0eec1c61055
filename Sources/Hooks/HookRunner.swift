// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import Landmarks
internal import WaymarkProtocol
internal import Web

/// The changes for one hook.
struct HookSource: Sendable {
    /// Returns changes after a position, at most so many.
    var page: @Sendable (Position, Int) async -> FollowedChanges.Page
    /// Waits until there may be changes after a position, but a few seconds at most.
    var wait: @Sendable (Position) async -> Void
}

/// Delivers the changes of one hook in their order: each is tried until the receiver takes it, or it is put aside.
struct HookRunner: Sendable {
    /// The maximum number of changes that are read at once, if a message has fewer.
    private static let pageCount = 64

    let hook: WireHook
    let source: HookSource
    let sender: any HookSending
    let desk: HookDesk

    private struct Place {
        /// The last position that was noted.
        var told: Position
        /// The time since which another service has failed to send the first message; 0 if there was none.
        var failingSince: UInt64
    }

    private var batch: Int { max(1, Int(hook.batch)) }

    /// Delivers until the task is cancelled, or the service does not hold the hook any more.
    func run() async {
        guard var position = Position(hook.position) else { return }
        var place = Place(told: position, failingSince: hook.failingSince)
        while await desk.permission(hook) != nil {
            switch await source.page(position, max(batch, Self.pageCount)) {
            case .told(let changes, let through, let isLast):
                var rest = changes[...]
                while let message = HookMessage(taking: &rest, batch: batch) {
                    guard await deliver(message, &place) else { return }
                }
                position = through
                guard isLast else { continue }
                if position.rev > place.told.rev { desk.note(hook) { $0.position = WireHookPosition(through) } }
                place.told = through
                sender.rest()
                await source.wait(position)
            case .refused(let refusal) where refusal.code == .compacted && refusal.floor > position.rev:
                let message = HookMessage.compacted(
                    after: position, floor: refusal.floor, batch: batch, now: desk.clock.unix())
                guard await deliver(message, &place) else { return }
                desk.note(hook) { $0.toldCompacted = refusal.floor }
                position = message.through ?? position
            case .refused:
                // Tell the position: if it is not of this history, storage refuses it, and the hook begins anew.
                desk.note(hook) { _ in }
                try? await desk.clock.sleep(.milliseconds(500))
            case .unavailable:
                try? await desk.clock.sleep(.milliseconds(500))
            }
        }
    }

    /// Sends a message until the receiver takes it, or it is put aside.
    ///
    /// - Returns: false if the hook ends here.
    private func deliver(_ message: HookMessage, _ place: inout Place) async -> Bool {
        let through = message.through ?? place.told
        var tries = HookTries(since: place.failingSince, desk.options)
        place.failingSince = 0
        desk.pending(hook, since: message.at)
        defer { desk.pending(hook, since: 0) }
        while let now = await desk.permission(hook) {
            guard let outcome = await sender.send(message, of: now, if: { desk.maySend }) else { continue }
            let time = desk.clock.unix()
            desk.metrics.tried(outcome)
            switch outcome {
            case .taken:
                desk.note(hook) { progress in
                    progress.delivered += UInt64(message.count)
                    (progress.lastSuccess, progress.position) = (time, WireHookPosition(through))
                    progress.noteTry(at: time)
                }
                place.told = through
                return true
            case .gone(let why):
                desk.note(hook) { progress in
                    progress.noteTry(at: time, failing: why)
                    progress.stop = why
                }
                return false
            case .failed(let why, let retryAfter):
                let pause = tries.failed(at: time, asking: retryAfter, random: desk.clock.random())
                desk.note(hook) { progress in
                    progress.noteTry(at: time, failing: why, since: tries.since)
                    if pause == nil { progress.putAside(message, through, why, at: time) }
                }
                guard let pause else {
                    desk.metrics.gaveUp()
                    place.told = through
                    // Storage may have no room for it. Then the hook stops, and nothing after it may be sent.
                    await desk.settle(hook)
                    return true
                }
                sender.rest()
                try? await desk.clock.sleep(pause)
            }
        }
        return false
    }

    /// Sends a message outside the order, once.
    func send(_ due: WireHookFailure) async {
        guard let epoch = Position(hook.position)?.epoch else { return }
        let message: HookMessage
        if !due.body.isEmpty {
            message = HookMessage(id: due.message, isBatch: due.batch, body: Array(due.body))
        } else if due.rev == 0 {
            message = .test(of: hook.name, number: due.number, in: epoch, batch: batch, now: desk.clock.unix())
        } else {
            guard let page = await page(after: Position(epoch: epoch, rev: due.rev - 1)) else { return }
            guard case .told(let changes, _, _) = page else {
                return note(due, .failed("The log cannot be read from revision \(due.rev)."))
            }
            var rest = changes[...]
            guard let found = HookMessage(taking: &rest, batch: batch), found.through?.rev == due.rev else {
                return note(due, .failed("The hook's filter does not match revision \(due.rev)."))
            }
            message = found
        }
        while let now = await desk.permission(hook) {
            if let outcome = await sender.send(message, of: now, if: { desk.maySend }) {
                desk.metrics.tried(outcome)
                return note(due, outcome)
            }
        }
    }

    /// Reads one change as soon as storage can be reached. Returns nil if the service does not hold the hook any more: the
    /// next holder sends the message.
    private func page(after position: Position) async -> FollowedChanges.Page? {
        while await desk.permission(hook) != nil {
            let page = await source.page(position, 1)
            guard case .unavailable = page else { return page }
            try? await desk.clock.sleep(.milliseconds(500))
        }
        return nil
    }

    private func note(_ due: WireHookFailure, _ outcome: HookOutcome) {
        desk.note(hook) { progress in
            switch outcome {
            case .taken: progress.redelivered.append(due.number)
            case .gone(let why), .failed(let why, _):
                var refused = due
                (refused.body, refused.reason, refused.at, refused.due) = (Data(), why, desk.clock.unix(), false)
                progress.refused.append(refused)
            }
        }
    }
}

extension WireHookProgress {
    /// - Parameters:
    ///   - why: the reason for which the try failed; nil if it succeeded.
    ///   - since: the time of the first try that failed.
    fileprivate mutating func noteTry(at time: UInt64, failing why: String? = nil, since: UInt64 = 0) {
        (lastTry, error, failingSince) = (time, why ?? "", since)
        if why != nil { failures += 1 }
    }

    fileprivate mutating func putAside(_ message: HookMessage, _ through: Position, _ why: String, at time: UInt64) {
        gaveUp.append(
            .with {
                ($0.hook, $0.term, $0.rev, $0.at) = (hook, term, through.rev, time)
                ($0.reason, $0.body, $0.message, $0.batch) = (why, Data(message.body), message.id, message.isBatch)
            })
        (position, failingSince) = (WireHookPosition(through), 0)
    }
}
