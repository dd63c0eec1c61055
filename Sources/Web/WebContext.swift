// SPDX-License-Identifier: Apache-2.0

internal import WaymarkClient

/// What routes work with.
struct WebContext: Sendable {
    let client: WaymarkClient
    let hub: ChangeHub
    let options: WebOptions
    let metrics: WebMetrics
    let gate: WebGate
}
