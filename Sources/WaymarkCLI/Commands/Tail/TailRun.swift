// SPDX-License-Identifier: Apache-2.0

import WaymarkClient

/// One run of `tail`: reads the feed or the log, prints changes, and ends when it has to.
struct TailRun: Sendable {
    let session: Session
    let asked: TailCommand
    let filter: FeedFilter
    let printer: ChangePrinter
    let reporter: TailReporter
    let cursor: CursorFile?
    let progress = TailProgress()
    let began = ContinuousClock.now

    func run() async throws {
        // Read the cursor file first, so that an error in it is reported before anything is printed.
        let kept = try cursor?.read()
        let welcome = try await session.greet()
        do {
            // Read the clock only once: if the time passed between two readings, neither task would end the run.
            let toCome = timeToCome
            var tasks: [@Sendable () async throws -> Void] = [
                { try await begin(welcome, kept, isEndKnown: toCome == nil) }, { await waitForTheEnd() },
            ]
            if let time = toCome { tasks.append { await waitUntil(time) } }
            if let cursor { tasks.append { try await keep(cursor) } }
            try await untilOneEnds(tasks)
        } catch {
            try? cursor?.flush()
            throw error
        }
        try cursor?.flush()
        guard let require = asked.require, printer.count < UInt64(require) else { return }
        throw Failure(
            .timedOut, "too_few", "At least \(require) changes were required; there were only \(printer.summary).")
    }

    private func begin(_ welcome: Welcome, _ kept: Position?, isEndKnown: Bool) async throws {
        do {
            if isEndKnown { try await setEnd() }
            try await printAll(from: try await start(welcome, kept))
        } catch let error as ClientError {
            throw await failure(error)
        }
    }

    private func printAll(from start: FeedStart) async throws {
        var start = start
        var pause = Duration.zero
        while true {
            let before = progress.position
            do {
                if case .after(let position) = start {
                    guard progress.reach(position) else { return }
                    // From here on the cursor file has a position to continue from, even if no change arrives.
                    try cursor?.advance(to: position)
                    if asked.range.noFollow { return try await printLog(after: position) }
                }
                return try await follow(start)
            } catch let error as ClientError {
                guard !Task.isCancelled else { return }
                guard case .refused(let refusal) = error, ExitStatus(error) == .historyGone else { throw error }
                // Pause if there was no progress, so that requests are not repeated in a tight loop, whatever the
                // cause.
                pause = progress.position == before ? max(.milliseconds(100), min(pause * 2, .seconds(5))) : .zero
                try? await Task.sleep(for: pause)
                start = try await resume(after: refusal)
            }
        }
    }

    private func follow(_ start: FeedStart) async throws {
        var feed = session.client.feed(since: start, matching: filter).makeAsyncIterator()
        if case .after(let position) = start { try reporter.tell(.following(position)) }
        while !printer.isFull, let item = try await feed.next(isolation: nil) {
            guard try handle(item) else { return }
        }
    }

    /// Prints everything up to the newest revision that the first page reports.
    private func printLog(after start: Position) async throws {
        var position = start
        var end: UInt64?
        while !printer.isFull {
            let page = try await session.client.changes(after: position, matching: filter)
            let last = end ?? min(page.head, progress.until ?? .max)
            end = last
            for change in page.changes where change.position.rev <= last {
                guard try handle(.change(change)), !printer.isFull else { return }
            }
            var reached = page.through
            reached.rev = min(reached.rev, last)
            guard reached.rev > position.rev else { return }
            guard try handle(.reached(reached)), reached.rev < last else { return }
            position = page.through
        }
    }

    /// - Returns: whether `tail` has more to print.
    private func handle(_ item: FeedItem) throws -> Bool {
        switch item {
        case .landmark(let landmark, let position):
            try printer.print(landmark, asOf: position)
            return true
        case .synced(let position):
            try reporter.tell(.synced(position))
            return try reach(position) && !asked.range.noFollow
        case .change(let change):
            if let until = progress.until, change.position.rev > until { return false }
            try printer.print(change)
            return try reach(change.position)
        case .reached(let position): return try reach(position)
        case .lost(let loss): try reporter.tell(.lost(progress.position, loss))
        case .gap(let position): try reporter.tell(.gap(position))
        case .resumed(let position, let replayed): try reporter.tell(.resumed(position, replayed: replayed))
        }
        return true
    }

    private func reach(_ position: Position) throws -> Bool {
        try cursor?.advance(to: position)
        return progress.reach(position)
    }

    /// Writes the last recorded position at intervals, so that lines in quick succession share one write of the file.
    private func keep(_ cursor: CursorFile) async throws {
        while !Task.isCancelled {
            try? await Task.sleep(for: CursorFile.pause)
            try cursor.flush()
        }
    }

    /// Returns when the time limit or the idle limit is reached.
    private func waitForTheEnd() async {
        while !Task.isCancelled {
            let ends = [
                asked.connection.timeout.map { began + $0 }, asked.idle.map { printer.lastTime + $0 },
            ].compactMap { $0 }
            let end = ends.min() ?? .now + .seconds(3_600)
            if !ends.isEmpty, end <= .now { return }
            try? await Task.sleep(until: end)
        }
    }
}
