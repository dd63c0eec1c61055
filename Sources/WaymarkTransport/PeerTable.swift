// SPDX-License-Identifier: Apache-2.0

import ZeroMQ

/// What is known of one connection.
final class Peer {
    /// The routing id.
    let id: [UInt8]
    var age = RequestAge()
    /// Bytes of answers that it has not read.
    let held: HeldBytes
    /// Whether the connection has ended: nobody reads an answer to what came by it and has not been answered yet.
    private(set) var isGone = false

    /// An answer had nowhere to go. An id that libzmq gave begins with 0 and is never given again; one that a peer gave
    /// to itself may come back.
    func lost() { isGone = id.first == 0 }

    init(id: [UInt8], partOf whole: HeldBytes) {
        self.id = id
        held = HeldBytes(partOf: whole)
    }
}

/// The connections of a socket, by their routing ids.
struct PeerTable {
    /// More than this, and the age of their requests is no longer told apart from the start.
    private static let most = 10_000

    /// Bytes of answers that none of them has read.
    let held = HeldBytes()
    private var peers: [[UInt8]: Peer] = [:]
    /// Requests come in bursts, so the next one is usually from the same peer, and nothing has to be looked up.
    private var latest: Peer?

    /// The one with this id; a new one if there is none.
    mutating func peer(_ id: UnsafeRawBufferPointer) -> Peer {
        if let latest, latest.id.count == id.count, latest.id.elementsEqual(id) { return latest }
        return remember([UInt8](id))
    }

    mutating func peer(_ id: [UInt8]) -> Peer {
        if let latest, latest.id == id { return latest }
        return remember(id)
    }

    private mutating func remember(_ id: [UInt8]) -> Peer {
        let peer = peers[id] ?? add(id)
        latest = peer
        return peer
    }

    private mutating func add(_ id: [UInt8]) -> Peer {
        // Those for whom something is held are counted on: there are no more of them than connections.
        if peers.count >= Self.most { peers = peers.filter { $0.value.held.count > 0 } }
        let peer = Peer(id: id, partOf: held)
        peers[id] = peer
        return peer
    }
}
