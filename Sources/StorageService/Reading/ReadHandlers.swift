// SPDX-License-Identifier: Apache-2.0

import ServiceHost
import WaymarkProtocol
import WaymarkTransport

/// The handler of each kind of read. Handlers run outside the event loop. Their answers return to the event loop, and
/// wait there until all changes that the read may have seen are published.
final class ReadHandlers {
    /// Handlers have no capture lists, for the reason given at ``Home/Body``.
    typealias Handler =
        nonisolated(nonsending) (WireRequest.OneOf_Command, RequestHeader) async throws(ServiceError) -> [UInt8]

    private let home: Home
    private let replies: Replies
    private let commits: CommitLoop
    private var table = [Handler?](repeating: nil, count: RequestKind.count)
    var admission: Admission

    init(home: Home, replies: Replies, commits: CommitLoop, admission: Admission) {
        (self.home, self.replies, self.commits, self.admission) = (home, replies, commits, admission)
    }

    /// Registers a handler, which is kept together with everything that it captures until ``removeAll()``.
    func on(_ kinds: RequestKind..., do handler: @escaping Handler) {
        for kind in kinds { table[Int(kind.rawValue)] = handler }
    }

    func removeAll() { for place in table.indices { table[place] = nil } }

    func begin(_ command: WireRequest.OneOf_Command, _ request: IncomingRequest) {
        let (address, header) = (request.address, request.header)
        guard let handler = table[Int(address.kind.rawValue)] else { return replies.refuse(address, .unknownCommand) }
        guard admission.beginRead(address.kind) else {
            return replies.refuse(
                address, ServiceError(.busy, "Too many reads at once: send it again.", retryAfter: 100))
        }
        // The read begins after this position was taken, so the answer includes at least this position.
        let position = commits.executor.position
        home.spawn {
            do throws(ServiceError) {
                let body = try await handler(command, header)
                await self.commits.settled()
                self.replies.answer(address, body, ReplyHeader(position: position))
            } catch {
                self.replies.refuse(address, error)
            }
            self.admission.endRead()
        }
    }
}
