// SPDX-License-Identifier: Apache-2.0

import ZeroMQ

/// A client's connection to a ROUTER socket.
final class Peer {
    /// The routing id of the connection.
    let id: [UInt8]
    var age = RequestAge()
    /// Counts the bytes of answers to this peer that libzmq has not written to the connection yet.
    let held: HeldBytes
    /// The public key with which the peer's latest message came, and the text of that key.
    private(set) var key: CurveKey?
    private var keyText: [UInt8] = []
    /// Whether the connection is known to have ended, so that nobody would read an answer.
    private(set) var isGone = false

    init(id: [UInt8], partOf whole: HeldBytes) {
        self.id = id
        held = HeldBytes(partOf: whole)
    }

    /// Records the key with which a message came. Decodes the text only if it has changed.
    ///
    /// - Parameter text: the 40 characters of Z85 that the ``ZAPHandler`` returned as the user id.
    /// - Returns: whether the text is a valid key.
    func shows(key text: UnsafeRawBufferPointer) -> Bool {
        if key != nil, text.count == keyText.count, keyText.elementsEqual(text) { return true }
        key = CurveKey(z85: String(decoding: text, as: UTF8.self))
        keyText = [UInt8](text)
        return key != nil
    }

    /// Records that an answer could not be delivered. libzmq makes the ids that begin with 0, and never uses one twice,
    /// so such a peer is gone. Any other id was chosen by the peer, which may connect again under the same id.
    func lost() { isGone = id.first == 0 }
}

/// The connections of a ROUTER socket, by their routing ids.
final class PeerTable {
    /// The number of peers at which all peers without unread answers are forgotten. The age of a forgotten peer's
    /// requests is measured anew, from its next request on.
    private static let most = 10_000

    /// Counts the bytes of answers to all peers that libzmq has not written yet.
    let held = HeldBytes()
    private var peers: [[UInt8]: Peer] = [:]
    /// The peer of the latest call. Requests arrive in bursts, so the next request is usually from the same peer.
    private var latest: Peer?

    /// The peer with this id; a new one if there is none.
    func peer(_ id: some Collection<UInt8>) -> Peer {
        if let latest, latest.id.count == id.count, latest.id.elementsEqual(id) { return latest }
        let id = [UInt8](id)
        let peer = peers[id] ?? add(id)
        latest = peer
        return peer
    }

    func peer(_ id: [UInt8]) -> Peer { id.withUnsafeBytes { peer($0) } }

    private func add(_ id: [UInt8]) -> Peer {
        // Peers with unread answers stay, so that their bytes stay counted. There are never more such peers than
        // connections.
        if peers.count >= Self.most { peers = peers.filter { $0.value.held.count > 0 } }
        let peer = Peer(id: id, partOf: held)
        peers[id] = peer
        return peer
    }
}
