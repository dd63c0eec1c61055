// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// Takes numbered messages from a PULL or SUB socket and counts what is missing, came twice or came late.
///
/// Lives on the thread of its socket.
public final class StreamReceiver {
    private let socket: Socket
    private var message = Message()
    private var poller = Poller()
    public private(set) var tally: Tally
    public private(set) var ledger = SequenceLedger()
    /// Messages that were not of this test.
    public private(set) var foreign: UInt64 = 0
    private let countsFrom: UInt64

    /// - Parameters:
    ///   - socket: PULL or SUB, connected or bound.
    ///   - countsFrom: messages that were meant to be sent before this time, on ``NanoClock``, are not timed.
    public init(
        _ socket: consuming Socket, countsFrom: UInt64, tell: (@Sendable (Int, Tally.Second) -> Void)? = nil
    ) {
        poller.add(socket)
        self.socket = socket
        self.countsFrom = countsFrom
        tally = Tally(from: countsFrom, tell: tell)
    }

    /// Takes what comes until `isOver` says so and nothing has come for `quiet` nanoseconds.
    public func run(quiet: UInt64 = 500_000_000, until isOver: () -> Bool) throws(ZeroMQError) {
        var heard = NanoClock.now
        while true {
            if try take() {
                heard = NanoClock.now
            } else {
                let now = NanoClock.now
                if isOver(), now - heard > quiet { return tally.turn(to: now) }
                _ = try poller.wait(milliseconds: 10)
            }
        }
    }

    private func take() throws(ZeroMQError) -> Bool {
        var hasTaken = false
        for _ in 0..<1_024 {
            guard try socket.receive(into: &message) else { break }
            hasTaken = true
            guard let (number, intended) = message.withUnsafeBytes(at: message.count - 1, { Payload.read($0) }) else {
                foreign += 1
                continue
            }
            let now = NanoClock.now
            guard ledger.take(number), intended >= countsFrom else { continue }
            tally.record(now - min(now, intended), bytes: message.totalByteCount, at: now)
        }
        return hasTaken
    }
}
