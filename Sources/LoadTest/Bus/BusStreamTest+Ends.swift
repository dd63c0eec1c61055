// SPDX-License-Identifier: Apache-2.0

import ZeroMQ

/// Opens the sockets of the sender and the receivers, and counts what each receiver received, missed and lost.
extension BusStreamTest {
    /// Opens the sender's socket, which listens if there is no endpoint to connect to.
    func sending(_ shape: LoadShape, _ meeting: StreamMeeting?) throws -> Socket {
        var options = target.options(for: target.endpoint)
        options.linger = .seconds(10)
        // The backlog must hold all receivers, because they connect at the same time.
        options.backlog = 1_024
        options.sendHighWaterMark = highWaterMark(shape)
        // Queue nothing while nobody is connected. (A socket that never reads may use this option: see SocketOptions.)
        options.immediate = pattern == .push
        // Sender and receivers each have their own I/O thread, as two processes have.
        let socket = try Socket(pattern == .push ? .push : .pub, context: Context(), options: options)
        if let endpoint = target.endpoint {
            try socket.connect(endpoint)
        } else {
            let endpoint = try socket.bind("tcp://127.0.0.1:*")
            meeting?.tell { $0.sendsTo = endpoint }
        }
        return socket
    }

    /// Opens the sockets of receivers, each at an endpoint and with the receiver's number.
    func receiving(_ shape: LoadShape) throws -> (String, Int) throws(ZeroMQError) -> Socket {
        let context = try Context(maxSockets: receivers + 16)
        var options = target.options(for: target.receive)
        // Messages beyond the limit wait at the sender, or are dropped there. Without a limit, memory would hide how
        // slow the receiver is.
        options.receiveHighWaterMark = highWaterMark(shape)
        // libzmq drops subscriptions beyond the high-water mark for sending.
        if topics != nil { options.sendHighWaterMark = 0 }
        let settings = options
        return { (endpoint, place) throws(ZeroMQError) in
            let socket = try Socket(pattern == .push ? .pull : .sub, context: context, options: settings)
            if let topics, !topics.isWhole {
                for topic in topics.topics(of: place) { try socket.subscribe(topics.name(topic)) }
            } else if pattern == .pub {
                try socket.subscribe([])
            }
            try socket.connect(endpoint)
            return socket
        }
    }

    func result(_ sent: StreamGenerator.Outcome, _ received: StreamArrivals) -> LoadResult {
        let counted = sent.result.tally.sent
        func due(upTo number: UInt64, _ place: Int) -> UInt64 { topics?.count(upTo: number, for: place) ?? number }
        var (rows, expected): ([LoadFigures.Receiver], UInt64) = ([], 0)
        for place in 0..<receivers {
            let ledger = received.ledgers.indices.contains(place) ? received.ledgers[place] : SequenceLedger()
            let isLate = joinAt != nil && place == receivers - 1
            let all = due(upTo: sent.last, place)
            let warm = due(upTo: sent.last - min(sent.last, counted), place)
            // Everything before the first message that arrived was sent before the receiver had joined.
            let missed = !isLate ? 0 : ledger.received > 0 ? ledger.lowest - 1 : all
            let kind =
                isLate ? ledger.received > 0 ? " (late)" : " (never joined)" : place < slow?.count ?? 0 ? " (slow)" : ""
            rows.append(
                LoadFigures.Receiver(
                    name: "receiver \(place + 1)\(kind)", received: ledger.received, missed: missed,
                    lost: ledger.lost(of: all - min(all, missed))))
            expected += all - min(all, max(warm, missed))
        }
        let copies = counted > 0 ? Double(expected) / Double(counted) : Double(rows.count)
        var result = received.result(beside: sent.result, expected: expected, copies: copies)
        let lost = rows.reduce(0) { $0 + $1.lost }
        result.figures.lost = lost
        let isPlanned = topics != nil || slow != nil || joinAt != nil
        if isPlanned || (lost > 0 && rows.count > 1) { result.figures.receivers = rows }
        return result
    }
}
