// SPDX-License-Identifier: Apache-2.0

import Landmarks

/// Checks what one feed received, from its first start through all its resumes.
struct FeedCheck {
    let name: String
    let records: [FeedRecord]
    var validator: Validator
    private(set) var violations: [Violation] = []

    private var filter = FilterSpec()
    private var truth: Truth?
    private var expected: [Validator.Expected] = []
    /// The index of the first expected change that has not arrived.
    private var next = 0
    /// The revision through which every change has arrived; nil until it is known.
    private var at: UInt64?
    /// The last revision that was reported as reached.
    private var marked: UInt64 = 0
    private var epoch: UUIDv7?
    private var isResumed = false
    /// Whether the feed has ended, or has not yet reported where it begins.
    private var isOver = true
    /// Whether the rows of a snapshot are arriving.
    private var isLoading = false
    /// Whether a violation was found. A broken feed would repeat the same violation.
    private var isBroken = false

    init(_ name: String, _ records: [FeedRecord], _ validator: Validator) {
        (self.name, self.records, self.validator) = (name, records, validator)
    }

    mutating func run() {
        for record in records where !isBroken { handle(record) }
        guard !isBroken, !isOver, validator.isQuiet, let at, let truth else { return }
        if truth.epoch != validator.truth.epoch {
            broken(.honest, "the history changed and the feed did not report it", at)
        } else if at < truth.head {
            let missing = next < expected.count
            if missing { broken(.reliable, "what came after never arrived; the head is \(truth.head)", at) }
            if !missing, marked < truth.head {
                broken(.bookmarkable, "revision \(truth.head) was not reported as reached", at)
            }
        }
    }

    private mutating func handle(_ record: FeedRecord) {
        switch record {
        case .begin(let filter, let start): begin(filter, start)
        case .epoch(let epoch, _): move(to: epoch)
        case .change(let rev, let operation, let digest): change(rev, operation, digest)
        case .reached(let rev): reached(rev)
        case .row: isLoading = true
        case .synced(let rev):
            validator.counts.snapshots += 1
            if rev > (truth?.head ?? .max) { broken(.durable, "the snapshot is of a revision that is not there", rev) }
            start(after: rev)
        case .gap: validator.counts.gaps += 1
        case .lost: validator.counts.lost += 1
        case .resumed(_, let replayed): validator.counts.replayed += replayed
        case .ended(let code, let floor, let head): ended(code, floor, head)
        }
    }

    private mutating func begin(_ filter: FilterSpec, _ start: FeedRecord.Start) {
        self.filter = filter
        (isOver, isLoading, isResumed) = (false, false, false)
        switch start {
        case .now, .snapshot: (at, epoch, truth, marked) = (nil, nil, nil, 0)
        case .after(let position):
            if let at, epoch == position.epoch, at != position.rev {
                broken(.resumable, "the harness resumed at \(position.rev) instead", at)
            }
            isResumed = at != nil
            if isResumed { validator.counts.resumes += 1 }
            epoch = position.epoch
            truth = known(position.epoch)
            self.start(after: position.rev)
        }
    }

    private mutating func start(after rev: UInt64) {
        at = rev
        marked = max(marked, rev)
        isLoading = false
        guard let truth else { return }
        expected = validator.expected(filter, in: truth)
        next = expected.partition { $0.rev > rev }
    }

    private mutating func move(to epoch: UUIDv7) {
        if let now = self.epoch, now != epoch, at != nil, !isOver {
            return broken(.honest, "the epoch changed without a report", at ?? 0)
        }
        self.epoch = epoch
        truth = known(epoch)
        if truth == nil { broken(.durable, "an unknown history: \(epoch)", at ?? 0) }
    }

    private func known(_ epoch: UUIDv7) -> Truth? {
        epoch == validator.truth.epoch ? validator.truth : validator.former[epoch]
    }

    private mutating func change(_ rev: UInt64, _ operation: FeedOperation, _ digest: UInt64) {
        validator.counts.changes += 1
        guard let truth else { return broken(.honest, "a change of an unknown history", rev) }
        guard let entry = truth[rev] else {
            return broken(.durable, "it was received but is not in the log", rev)
        }
        guard let at else {
            // The feed was asked to begin with the next change, and this is that change.
            start(after: rev - 1)
            return change(rev, operation, digest)
        }
        if rev <= at {
            if isResumed { return broken(.resumable, "it came again after a resume at \(at)", rev) }
            if let last = lastDelivered, rev < last { return broken(.ordered, "it came after revision \(last)", rev) }
            if lastDelivered == rev { return broken(.unique, "it came twice", rev) }
            return broken(.bookmarkable, "it came after revision \(marked) was reported as reached", rev)
        }
        guard next < expected.count, expected[next].rev <= rev else {
            return broken(.reliable, "it does not match the filter \(filter)", rev)
        }
        guard expected[next].rev == rev else {
            let missing = expected[next].rev
            let comes = records.contains { if case .change(missing, _, _) = $0 { true } else { false } }
            if comes { return broken(.ordered, "it came before revision \(missing)", rev) }
            return broken(isResumed ? .resumable : .reliable, "revision \(missing) is missing before it", rev)
        }
        if expected[next].operation != operation {
            broken(.reliable, "told as \(operation) and is \(expected[next].operation) to \(filter)", rev)
        }
        if entry.digest != digest { broken(.durable, "it was received with other contents than in the log", rev) }
        lastDelivered = rev
        next += 1
        self.at = rev
        isResumed = false
    }

    private var lastDelivered: UInt64?

    private mutating func reached(_ rev: UInt64) {
        guard let truth else { return }
        guard let at else { return start(after: rev) }
        if rev > truth.head { return broken(.bookmarkable, "reported as reached; the head is \(truth.head)", rev) }
        if rev < marked, rev < at { return broken(.ordered, "reported as reached after \(marked)", rev) }
        if next < expected.count, expected[next].rev <= rev {
            return broken(
                .bookmarkable, "reported as reached, but \(expected[next].rev) had not come", rev)
        }
        marked = max(marked, rev)
        self.at = max(at, rev)
    }

    private mutating func ended(_ code: String, _ floor: UInt64, _ head: UInt64) {
        validator.counts.ends += 1
        isOver = true
        let place = at ?? 0
        // The feed continues at another position.
        defer { at = nil }
        switch code {
        case "compacted":
            if floor <= place + 1 { broken(.honest, "compacted to floor \(floor), which is not beyond it", place) }
        case "epoch_changed":
            if epoch == validator.truth.epoch, validator.former.isEmpty {
                broken(.honest, "reported as of another history, but it is of this one", place)
            }
        case "future_revision":
            if place <= validator.truth.head, validator.former.isEmpty {
                broken(.honest, "reported as in the future; the head is \(head)", place)
            }
        default: broken(.honest, "ended by \(code)", place)
        }
    }

    private mutating func broken(_ promise: Promise, _ what: String, _ rev: UInt64) {
        isBroken = true
        violations.append(Violation(promise, what, client: name, rev: rev))
    }
}

extension [Validator.Expected] {
    /// The index of the first element for which `isRight` holds, in an array that is sorted by `isRight`.
    fileprivate func partition(_ isRight: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isRight(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
