// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
internal import Landmarks
import WaymarkProtocol
internal import WaymarkTransport
import ZeroMQ

/// The pure ``Relay`` together with its socket: performs the steps that it returns.
struct RelayDesk {
    /// The most changes that a filtered page examines: about a millisecond on the loop, whose time others need too.
    private static let examined = 2_000

    /// The longest time between two messages to all subscribers, in nanoseconds. With storage's few milliseconds,
    /// thousands of subscribers would keep several cores busy.
    private static let longestPause: UInt64 = 100_000_000

    let publisher: FeedPublisher
    var relay: Relay { didSet { publisher.isSilent = relay.isSilent } }
    /// Requests for changes that were answered from memory.
    private(set) var answered: UInt64 = 0
    /// Requests for changes that only storage could answer.
    private(set) var passedOn: UInt64 = 0

    /// - Parameter owner: finds the owner of a subscriber's key; nil: its owner may not subscribe now.
    init(
        _ options: RelayOptions, loop: EventLoop, context: Context, connections: Int, security: SocketSecurity?,
        owner: @escaping (CurveKey) -> FeedOwner?
    ) throws(ZeroMQError) {
        relay = Relay(bounds: RelayLog.Bounds(bytes: options.bytes))
        // This identity is never published: the first stretch brings storage's.
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
    /// - Throws: the reason why it is not a change of this version. Then nothing was published, and no later change may
    ///   be.
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

    /// The encoded answer to `changes`; nil if storage has to answer.
    ///
    /// - Throws: an error about the request's invalid value.
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
