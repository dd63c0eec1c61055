// SPDX-License-Identifier: Apache-2.0

import Landmarks
import WaymarkProtocol
import WaymarkTransport

/// Writes that arrived together, with the addresses that their answers go to.
struct WriteBatch {
    /// The largest batch whose buffers are kept. A larger one is rare, and its memory is given back.
    private static let ordinary = 1_024
    /// The most keys that a log line names.
    private static let logged = 8

    private(set) var requests: [WriteRequest] = []
    private(set) var addresses: [ReplyAddress] = []

    mutating func append(_ request: WriteRequest, _ address: ReplyAddress) {
        requests.append(request)
        addresses.append(address)
    }

    /// Empties it. Keeps the buffers' capacity unless the batch was unusually large.
    mutating func removeAll() {
        let isOrdinary = requests.count <= Self.ordinary
        requests.removeAll(keepingCapacity: isOrdinary)
        addresses.removeAll(keepingCapacity: isOrdinary)
    }

    /// The keys of its first requests, for the log.
    var firstKeys: String {
        let keys = addresses.prefix(Self.logged).map(\.key.text).joined(separator: " ")
        return addresses.count > Self.logged ? keys + " …" : keys
    }
}

extension WriteRequest {
    init(_ request: IncomingRequest, _ command: Command, by caller: Caller) {
        // An account keeps its number when it is renamed between two copies of a request.
        let who = caller.isProven ? "\u{1}\(caller.number)" : request.header.user
        self.init(
            client: request.address.key.client, sequence: request.address.key.sequence,
            digest: RequestDigest(of: request.body, user: who), caller: caller,
            deed: caller.isProven ? AuditDeed(deed: request.address.kind.name, origin: request.header.origin) : nil,
            now: WallClock.milliseconds, command: command)
    }
}
