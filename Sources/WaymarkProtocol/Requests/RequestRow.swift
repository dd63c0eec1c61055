// SPDX-License-Identifier: Apache-2.0

/// A row of the table of requests: everything that anybody has to know of a kind before it is handled.
public struct RequestRow: Sendable {
    /// The services that answer.
    public enum Answerer: Sendable {
        /// The query service, from its replica alone.
        case replica
        /// The query service, from what it has fetched or is itself.
        case query
        /// Storage; a query service passes the request on, unless its replica or its relay knows the answer.
        case storage
        /// Each service for itself.
        case each
    }

    /// What is different afterwards.
    public enum Effect: Sendable {
        case nothing
        /// Accounts are read: storage handles these beside those that change accounts.
        case readsAccounts
        case changesLandmarks
        /// A turn at fetching a source, which is a write that changes no landmark.
        case changesTurns
        /// Accounts or keys. Repeated it does no more than once.
        case changesAccounts
    }

    public enum Cost: Sendable {
        /// Microseconds: its answer may wait for those of the next requests and leave with them.
        case quick
        case ordinary
        /// Ordinary, but a service that cannot have it may look as if it were away: some room is kept for it.
        case vital
    }

    /// The word for programs: as the field is called in the protocol.
    public let name: String
    /// Where a `Reply` has the answer.
    public let answer: ReplyField
    public let answerer: Answerer
    public let effect: Effect
    /// Needed when the request is about the caller's own account; `AccessRule` asks again where it is about another.
    public let permission: Permission
    public let cost: Cost

    init(
        _ name: String, _ answer: ReplyField, by answerer: Answerer = .storage, _ effect: Effect = .nothing,
        needs permission: Permission, _ cost: Cost = .ordinary
    ) {
        (self.name, self.answer, self.answerer) = (name, answer, answerer)
        (self.effect, self.permission, self.cost) = (effect, permission, cost)
    }
}
