// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WaymarkClient
import WaymarkProtocol

/// Removes everything that a load test has written, by its ``BenchMark``.
struct CleanBench: AskingCommand {
    static let configuration = CommandConfiguration(
        commandName: "clean",
        abstract: "Remove the landmarks that a load test has written.",
        discussion: """
            A test that writes prints the name of its run at the end. The landmarks that it added have the kind \
            bench-RUN, and the rows that it ingested have the source bench-RUN. Both are removed in steps: after an \
            interruption run the command again. Landmarks with people's notes are kept.

              waymark bench clean k3x9q2
            """)
    static let needsUser = true

    @Argument(
        help: ArgumentHelp("The run's name, as the test printed it.", valueName: "run"),
        transform: { try BenchMark($0) })
    var mark: BenchMark

    @OptionGroup var asking: AskOptions

    func run(in session: Session) async throws {
        let client = session.client
        var done = try await removeAdded(client)
        if try await client.sources().contains(where: { $0.source == mark.name }) {
            let rows = try await client.removeSource(mark.name)
            done.removed += rows.removed
            done.kept += rows.kept
        }
        guard done != RemovedSource() else {
            throw Failure(
                ErrorCode.notFound.name,
                "Nothing is left of the run \(mark.run): it was removed before, or it is in another collection.")
        }
        try session.print(done, of: "run", mark.run)
    }

    /// Removes the landmarks whose kind is the mark, page by page. The pages come from storage, because a query service
    /// may not have all landmarks yet.
    private func removeAdded(_ client: WaymarkClient) async throws -> RemovedSource {
        var done = RemovedSource()
        var request = WireRequest()
        request.snapshot.filter.kinds = [mark.name]
        // The removals of a page are requested together. Storage commits them together, which saves disk flushes.
        request.snapshot.limit = 64
        while true {
            guard case .snapshot(let page)? = try await client.send(request).1.result else {
                throw ClientError.unreadableAnswer("snapshot")
            }
            let plain = page.landmarks.filter(\.notes.isEmpty)
            let ids = plain.compactMap { Landmark.ID(bytes: $0.id) }
            guard ids.count == plain.count else { throw ClientError.unreadableAnswer("landmark's id") }
            let removed: UInt64 = try await withThrowingTaskGroup(of: RemovedSource.self) { group in
                for id in ids {
                    group.addTask {
                        var one = RemovedSource()
                        try await one.remove(id, by: client)
                        return one
                    }
                }
                return try await group.reduce(0) { $0 + $1.removed }
            }
            done.removed += removed
            done.kept += UInt64(page.landmarks.count - plain.count)
            guard !page.next.isEmpty, page.next != request.snapshot.after else { return done }
            request.snapshot.after = page.next
        }
    }
}
