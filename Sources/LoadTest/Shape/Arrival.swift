// SPDX-License-Identifier: Apache-2.0

/// The distribution of the intended times in an open loop. The intended times do not depend on the service.
public enum Arrival: String, Codable, Hashable, Sendable, CaseIterable {
    /// At even intervals.
    case constant
    /// At random intervals from the exponential distribution, as if independent users made the requests.
    case poisson
}
