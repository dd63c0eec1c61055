// SPDX-License-Identifier: Apache-2.0

import ZeroMQ

/// One connection of a ROUTER socket.
final class Peer {
    /// The routing id of the connection.
    let id: [UInt8]
    var age = RequestAge()
    /// The bytes of answers that the peer has not read yet.
    let held: HeldBytes
    /// The public key of the peer's latest message, and the key's text.
    private(set) var key: CurveKey?
    private var keyText: [UInt8] = []
    /// Whether the connection is known to have ended, so that nobody reads an answer to an earlier request.
    private(set) var isGone = false

    init(id: [UInt8], partOf whole: HeldBytes) {
        self.id = id
        held = HeldBytes(partOf: whole)
    }

    /// Records the key of a message. The key is decoded only if it differs from the previous message's.
    ///
    /// - Parameter text: the 40 characters of Z85 that the ``ZAPHandler`` gave as the user's id.
    /// - Returns: whether the text is a key.
    func shows(key text: UnsafeRawBufferPointer) -> Bool {
        if key != nil, text.count == keyText.count, keyText.elementsEqual(text) { return true }
        key = CurveKey(z85: String(decoding: text, as: UTF8.self))
        keyText = [UInt8](text)
        return key != nil
    }

    /// Records that an answer could not be delivered. Ids that begin with 0 are made by libzmq, which never uses one
    /// again. Any other id was chosen by the peer, which may come back under it.
    func lost() { isGone = id.first == 0 }
}

/// The connections of a ROUTER socket, by their routing ids.
final class PeerTable {
    /// The number of peers at which those without unread answers are forgotten. The age of a forgotten peer's requests
    /// is measured anew from its next one.
    private static let most = 10_000

    /// The bytes of answers that no peer has read yet.
    let held = HeldBytes()
    private var peers: [[UInt8]: Peer] = [:]
    /// The peer of the latest call. Requests arrive in bursts, so the next one is usually from the same peer.
    private var latest: Peer?

    /// The peer with this id; a new one if there is none.
    func peer(_ id: some Collection<UInt8>) -> Peer {
        if let latest, latest.id.count == id.count, latest.id.elementsEqual(id) { return latest }
        let id = [UInt8](id)
        let peer = peers[id] ?? add(id)
        latest = peer
        return peer
    }

    private func add(_ id: [UInt8]) -> Peer {
        // Peers with unread answers stay, so that their bytes stay counted. Their number is bounded by that of the
        // connections.
        if peers.count >= Self.most { peers = peers.filter { $0.value.held.count > 0 } }
        let peer = Peer(id: id, partOf: held)
        peers[id] = peer
        return peer
    }
}
