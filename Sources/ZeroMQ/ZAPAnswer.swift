// SPDX-License-Identifier: Apache-2.0

/// The decision about a peer that wants to connect.
public enum ZAPAnswer: Sendable, Hashable {
    /// Admitted (200). The peer's messages carry this name as ``MessageProperty/userID``: up to 255 bytes, no zero
    /// byte.
    case admit(userID: String)
    /// Refused (400). A client made with libzmq then never tries again.
    case refuse
    /// Undecided for now. The peer waits until ``ZAPHandler/reconsider()`` has another answer; at the end of its
    /// patience it is disconnected (300), and tries again.
    case tryLater
    /// The handler failed (500). The peer is disconnected.
    case fail

    /// The answer's frames after version and number: status, its meaning, the user id. libzmq never reads the meaning;
    /// the status reaches the ``SocketMonitor`` of the server and of the client.
    var frames: (status: String, text: String, userID: String) {
        switch self {
        case .admit(let userID) where userID.utf8.count > 255 || userID.utf8.contains(0):
            ("500", "the user id is too long, or has a zero byte", "")
        case .admit(let userID): ("200", "OK", userID)
        case .refuse: ("400", "no access", "")
        case .tryLater: ("300", "try again later", "")
        case .fail: ("500", "internal error", "")
        }
    }
}
