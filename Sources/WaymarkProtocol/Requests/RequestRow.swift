// SPDX-License-Identifier: Apache-2.0

/// A row of the table of requests, with everything that must be known of a kind before a request is handled.
public struct RequestRow: Sendable {
    /// The service that answers requests of a kind.
    public enum Answerer: Sendable {
        /// The query service, from its replica alone.
        case replica
        /// The query service, from what it has fetched or from its own state.
        case query
        /// Storage. A query service forwards the request, unless its replica or its relay of changes suffices.
        case storage
        /// Each service answers about itself.
        case each
    }

    /// The effect of a request on the data.
    public enum Effect: Sendable {
        case nothing
        /// Reads accounts. Storage handles these requests together with those that change accounts.
        case readsAccounts
        case changesLandmarks
        /// Changes leases, fences, hooks, grants or tracks: a write that changes no landmark and makes no revision.
        case changesBookkeeping
        /// Changes accounts or keys. Sending the request again has no further effect.
        case changesAccounts
    }

    public enum Cost: Sendable {
        /// Takes microseconds, so that the answer may wait for the next answers and be sent together with them.
        case quick
        case ordinary
        /// Like `ordinary`, but some capacity is kept for it: without the answer, a service may look unreachable.
        case vital
    }

    /// The name of the kind for programs, equal to the name of its field in the protocol.
    public let name: String
    /// The field of `Reply` that contains the answer.
    public let answer: ReplyField
    public let answerer: Answerer
    public let effect: Effect
    /// The permission for requests about the caller's own account. `AccessRule` also checks those about others.
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
