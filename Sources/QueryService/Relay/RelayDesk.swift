// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
internal import Landmarks
import WaymarkProtocol
internal import WaymarkTransport
import ZeroMQ

/// The ``Relay``, which is pure, together with its socket. Performs the steps that the relay returns.
struct RelayDesk {
    /// The maximum number of changes that are examined for one filtered page. It takes about a millisecond, in which
    /// the event loop does nothing else.
    private static let examined = 2_000

    /// The longest time between two messages to all subscribers, in nanoseconds. With the few milliseconds that storage
    /// uses, thousands of subscribers would keep several cores busy.
    private static let longestPause: UInt64 = 100_000_000

    let publisher: FeedPublisher
    var relay: Relay { didSet { publisher.isSilent = relay.isSilent } }
    /// How many requests for changes were answered from memory.
    private(set) var answered: UInt64 = 0
    /// How many requests for changes only storage could answer.
    private(set) var passedOn: UInt64 = 0

    /// - Parameter owner: finds the account of a subscriber's key; returns nil if the account may not subscribe now.
    init(
        _ options: RelayOptions, loop: EventLoop, context: Context, connections: Int, security: SocketSecurity?,
        owner: @escaping (CurveKey) -> FeedOwner?
    ) throws(ZeroMQError) {
        relay = Relay(bounds: RelayLog.Bounds(bytes: options.bytes))
        // This identifier is never published: the relay's first step replaces it with storage's identifiers.
        let nobody = UUIDv7(high: 0, low: 0)
        publisher = try FeedPublisher(
            loop: loop, context: context, endpoint: options.listen,
            numbering: FeedNumbering(epoch: nobody, run: nobody, head: 0, floor: 1), beacon: options.beacon,
            rule: ConnectionRule(most: connections, security: security), owner: owner)
        publisher.sender.longestPause = Self.longestPause
        publisher.isSilent = true
    }

    mutating func began(at position: Position, run: UUIDv7, floor: UInt64) {
        perform(relay.began(at: position, run: run, floor: floor), nil)
    }

    /// Publishes a change.
    ///
    /// - Throws: an error if this version of the protocol cannot represent the change. Then nothing was published, and
    ///   no later change may be published.
    mutating func took(_ change: EncodedChange, in run: UUIDv7?, floor: UInt64) throws(InvalidInput) {
        guard relay.log != nil else { return }
        _ = try change.known()
        perform(relay.took(change.rev, in: run, floor: floor, bytes: change.bytes), change)
    }

    mutating func reached(in run: UUIDv7?, floor: UInt64) { perform(relay.reached(in: run, floor: floor), nil) }

    private func perform(_ steps: [Relay.Step], _ change: EncodedChange?) {
        for step in steps {
            switch step {
            case .begin(let numbering): publisher.begin(numbering)
            case .resume(let run): publisher.resume(in: run)
            case .publish: if let change { publisher.publish(change) }
            }
        }
    }

    /// Returns the encoded answer to a request for changes; nil if storage has to answer.
    ///
    /// - Throws: an error if a value in the request is invalid.
    mutating func answer(_ request: WireChanges, floor: UInt64) throws(InvalidInput) -> [UInt8]? {
        let (since, filter) = (try Position(request.since), try FeedFilter(request.filter))
        let limit = request.limit == 0 ? 1_000 : min(Int(request.limit), WaymarkProtocol.bulkRows)
        let page = try relay.log?.page(
            after: since, most: limit, mostBytes: WaymarkProtocol.pageBytes, mostExamined: Self.examined, floor: floor,
            operation: filter.isEmpty
                ? nil
                : { (bytes) throws(InvalidInput) in
                    try bytes.withUnsafeBufferPointer { (bytes) throws(InvalidInput) in
                        try filter.operation(ofEncoded: UnsafeRawBufferPointer(bytes))
                    }
                })
        guard let page else {
            passedOn += 1
            return nil
        }
        answered += 1
        return WireRawReply.with { $0.changes = page }.encoded
    }
}
