// SPDX-License-Identifier: Apache-2.0

import WaymarkClient

extension TailRun {
    /// Returns the position just before the newest `count` matching changes.
    func newest(_ count: Int, _ welcome: Welcome) async throws -> Position {
        let head = welcome.position
        let end = min(head.rev, progress.until ?? .max)
        // Without following, print exactly the newest changes of now, even if somebody writes meanwhile.
        if asked.range.noFollow { _ = progress.end(with: end) }
        var search = NewestSearch(count, through: end, floor: welcome.floor)
        if filter.isEmpty { search.matchAll() }
        var floor = welcome.floor
        while let stretch = search.stretch {
            do throws(ClientError) {
                let matches = try await matches(head, after: stretch.after, through: stretch.through)
                search.apply(matches, after: stretch.after)
            } catch {
                guard let refusal = error.refusal, refusal.code == .compacted, search.raise(floor: refusal.floor) else {
                    throw error
                }
                floor = refusal.floor
            }
        }
        if search.isAtBottom {
            if floor > 1 { try reporter.tell(.older(floor: floor)) }
        } else if search.found < count {
            try reporter.tell(.fewer(found: search.found, examined: search.examined))
        }
        return Position(epoch: head.epoch, rev: search.start, run: head.run)
    }

    /// Returns the revisions of the matching changes, in order. If there are several query services, the one that
    /// answers may have fewer revisions than the one that told the end of the log.
    private func matches(_ head: Position, after: UInt64, through: UInt64) async throws(ClientError) -> [UInt64] {
        var position = Position(epoch: head.epoch, rev: after, run: head.run)
        var matches: [UInt64] = []
        var patience = 50
        while position.rev < through {
            let page = try await session.client.changes(after: position, matching: filter)
            matches += page.changes.map(\.position.rev).filter { $0 <= through }
            if page.through.rev <= position.rev {
                guard patience > 0, !Task.isCancelled else { throw .unreadableAnswer("a page of changes") }
                patience -= 1
                try? await Task.sleep(for: .milliseconds(100))
            }
            position.rev = max(position.rev, page.through.rev)
        }
        return matches
    }
}
