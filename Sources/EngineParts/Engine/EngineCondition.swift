// SPDX-License-Identifier: Apache-2.0

/// Whether the engine can write, and if not, why. In most conditions it can still read.
package enum EngineCondition: Hashable, Sendable {
    case writable
    /// The disk has fewer free bytes (`room`) than the reserve, or was full at the last attempt to write.
    case full(room: UInt64?, reserve: UInt64)
    /// The last attempt to write failed for another reason, which the text gives in a few words.
    case failing(String)
    /// The database server does not answer. Reads and writes wait or are refused.
    case unreachable(String)
    /// Another storage is the writer, and this storage waits to take over.
    case waiting
    /// Another storage has taken over, and this storage has to end.
    case superseded

    /// Finds the condition to which an error of a write leads; nil if the condition stays as it is.
    package init?(_ error: EngineError, reserve: UInt64 = 0) {
        switch error {
        case .superseded: self = .superseded
        case .full: self = .full(room: nil, reserve: reserve)
        case .unreachable(let why): self = .unreachable(why)
        case .io(let why): self = .failing(why)
        default: return nil
        }
    }

    /// The problem in one sentence for an operator; nil if the engine can write.
    package var problem: String? {
        switch self {
        case .writable: nil
        case .full(let room?, let reserve):
            "The disk is full: \(Self.mebibytes(room)) are left and \(Self.mebibytes(reserve)) are kept free "
                + "(disk.reserve), so writes are refused until there is room; reads go on."
        case .full(nil, _): "The disk is full: writes are refused until there is room; reads go on."
        case .unreachable(let why): "The database is not reachable (\(why)): check its server."
        case .waiting: "Another storage has the database; this one waits to take over."
        case .superseded: "Another storage has taken the database over: restart this one."
        case .failing(let why): "The last attempt to write failed (\(why)): check the disk; reads go on."
        }
    }

    /// The name of the condition, for programs.
    package var name: String {
        switch self {
        case .writable: "writable"
        case .full: "full"
        case .failing: "failing"
        case .unreachable: "unreachable"
        case .waiting: "waiting"
        case .superseded: "superseded"
        }
    }

    private static func mebibytes(_ bytes: UInt64) -> String { "\(bytes / 1_048_576) MiB" }
}
