// SPDX-License-Identifier: Apache-2.0

import ServiceHost
internal import WaymarkTransport

/// The components of a running query service. They are made at its start and released at its stop.
struct RunningQuery {
    let server: RequestServer
    let answers: Replies
    let handlers: RequestHandlers
    let link: StorageLink
    let sync: ReplicaSync
    let reads: ReplicaReads
    /// Decides about keys; nil if accounts are not required. The same holds for `listeners`.
    let gate: AccountGate?
    let listeners: SignInListeners?
    let sources: SourcePoller
    /// Fetches currency rates; nil if no source of rates is configured.
    let rates: RatePoller?
    let housekeeping: Housekeeping

    var tasks: [Task<Void, Never>] {
        sources.tasks + (gate?.tasks ?? []) + [sync.load.task, rates?.task].compactMap { $0 }
    }

    /// Whether nothing is in progress that a stop has to wait for.
    var isDone: Bool {
        link.forwarding.inFlight == 0 && answers.assembling == 0 && (sources.isIdle || link.isAway)
    }

    func close() {
        housekeeping.close()
        reads.close()
        sync.close()
        link.close()
        listeners?.close()
        handlers.removeAll()
        answers.close()
    }
}
