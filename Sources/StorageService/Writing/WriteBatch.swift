// SPDX-License-Identifier: Apache-2.0

import StorageRules
import WaymarkTransport

/// Writes that are committed together, and where their answers go.
struct WriteBatch {
    enum Destination {
        case peer(ReplyAddress)
        /// A caller inside this service, which gets the encoded reply.
        case inside((Result<[UInt8], EngineError>) -> Void)
    }

    /// The maximum number of requests in a batch whose buffers are kept. Larger batches are rare.
    private static let ordinary = 1_024
    /// The maximum number of request keys in a log line.
    private static let logged = 8

    private(set) var requests: [WriteRequest] = []
    private(set) var destinations: [Destination] = []
    /// The total size of the encoded requests in bytes.
    private(set) var bytes = 0

    var isEmpty: Bool { requests.isEmpty }
    var count: Int { requests.count }

    mutating func append(_ request: WriteRequest, bytes: Int = 0, _ destination: Destination) {
        requests.append(request)
        destinations.append(destination)
        self.bytes += bytes
    }

    /// Empties the batch, but keeps the capacity of its buffers unless the batch was unusually large.
    mutating func removeAll() {
        let isOrdinary = requests.count <= Self.ordinary
        requests.removeAll(keepingCapacity: isOrdinary)
        destinations.removeAll(keepingCapacity: isOrdinary)
        bytes = 0
    }

    /// The keys of the first requests in the batch, for the log.
    var firstKeys: String {
        let keys = destinations.prefix(Self.logged).map { destination in
            if case .peer(let address) = destination { address.key.text } else { "(inside)" }
        }
        return keys.joined(separator: " ") + (destinations.count > Self.logged ? " …" : "")
    }
}

extension WriteRequest {
    init(_ request: IncomingRequest, _ command: Command, by caller: Caller) {
        // The digest includes the account's number and not its name, because the account may be renamed before the
        // request is repeated.
        let who = caller.isProven ? "\u{1}\(caller.number)" : request.header.user
        self.init(
            client: request.address.key.client, sequence: request.address.key.sequence,
            digest: RequestDigest(of: request.body, user: who), caller: caller,
            deed: caller.isProven ? AuditDeed(deed: request.address.kind.name, origin: request.header.origin) : nil,
            now: WallClock.milliseconds, command: command)
    }
}
