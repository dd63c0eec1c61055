// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A limited number of members that jobs borrow. A member is made when it is first needed.
public final class Pool<Member: Sendable>: Sendable {
    /// A job that is called with the member it borrows. It must give the member back.
    public typealias Job = @Sendable (Member) -> Void

    private struct Members {
        var all: [Member] = []
        var idle: [Member] = []
        var waiting: [Job] = []
    }

    private let most: Int
    private let make: @Sendable (_ number: Int) -> Member
    private let members = Mutex(Members())

    /// - Parameter most: the maximum number of members, at least 1.
    public init(most: Int, _ make: @escaping @Sendable (_ number: Int) -> Member) {
        (self.most, self.make) = (max(1, most), make)
    }

    public var all: [Member] { members.withLock { $0.all } }

    public func take(_ job: @escaping Job) {
        let member = members.withLock { members -> Member? in
            if let idle = members.idle.popLast() { return idle }
            guard members.all.count < most else {
                members.waiting.append(job)
                return nil
            }
            let new = make(members.all.count + 1)
            members.all.append(new)
            return new
        }
        if let member { job(member) }
    }

    /// Gives a member back. It is passed on to the job that has waited longest.
    public func giveBack(_ member: Member) {
        let job = members.withLock { members -> Job? in
            guard members.waiting.isEmpty else { return members.waiting.removeFirst() }
            members.idle.append(member)
            return nil
        }
        job?(member)
    }
}
