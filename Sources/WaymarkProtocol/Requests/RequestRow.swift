// SPDX-License-Identifier: Apache-2.0

/// A row of the table of requests: everything to know of a kind before it is handled.
public struct RequestRow: Sendable {
    /// The service that answers a kind of request.
    public enum Answerer: Sendable {
        /// The query service, from its replica alone.
        case replica
        /// The query service, from what it has fetched or from its own state.
        case query
        /// Storage; a query service forwards the request, unless its replica or its relay knows the answer.
        case storage
        /// Each service, about itself.
        case each
    }

    /// The effect of a request on the data.
    public enum Effect: Sendable {
        case nothing
        /// Reads accounts: storage handles these requests together with those that change accounts.
        case readsAccounts
        case changesLandmarks
        /// Takes or ends a lease to fetch a source: a write that changes no landmark.
        case changesLeases
        /// Changes accounts or keys. A repeated request has no further effect.
        case changesAccounts
    }

    public enum Cost: Sendable {
        /// Takes microseconds: the answer may wait for those of the next requests and be sent with them.
        case quick
        case ordinary
        /// Ordinary, but some room is kept for it: a service that cannot get the answer may look unreachable.
        case vital
    }

    /// The name for programs, equal to the field's name in the protocol.
    public let name: String
    /// The field of a `Reply` that holds the answer.
    public let answer: ReplyField
    public let answerer: Answerer
    public let effect: Effect
    /// The permission for requests about the caller's own account; `AccessRule` also checks those about another
    /// account.
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
