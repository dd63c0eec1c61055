// SPDX-License-Identifier: Apache-2.0

/// Whether the engine can write. It can read in most conditions.
package enum EngineCondition: Hashable, Sendable {
    case writable
    /// The disk has less room than the reserve, or was full at the last attempt to write. Both values are in bytes.
    case full(room: UInt64?, reserve: UInt64)
    /// The last attempt to write failed for another reason, given in a few words.
    case failing(String)
    /// The database server does not answer: writes wait or are refused, and so are reads.
    case unreachable(String)
    /// Another storage is the writer, and this one waits to take over.
    case waiting
    /// Another storage has taken over, and this one has to end.
    case superseded

    /// The condition that a failed attempt to write shows; nil if the error shows none.
    package init?(_ error: EngineError, reserve: UInt64 = 0) {
        switch error {
        case .superseded: self = .superseded
        case .full: self = .full(room: nil, reserve: reserve)
        case .unreachable(let why): self = .unreachable(why)
        case .io(let why): self = .failing(why)
        default: return nil
        }
    }

    /// One sentence for an operator; nil if all is well.
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

    /// The condition's name, for programs.
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
