// SPDX-License-Identifier: Apache-2.0

/// The decision about a peer that wants to connect.
public enum ZAPAnswer: Sendable, Hashable {
    /// Admitted (200). The peer's messages carry `userID` as ``MessageProperty/userID``. It has up to 255 bytes, none
    /// of them zero.
    case admit(userID: String)
    /// Refused (400). A client made with libzmq does not try again after that.
    case refuse
    /// Undecided for now. The peer waits until ``ZAPHandler/reconsider()`` gets another answer. When the handler's
    /// `patience` is over, the peer is disconnected (300) and tries again.
    case tryLater
    /// The handler failed (500). The peer is disconnected.
    case fail

    /// The frames of the answer after version and request id: the status, its meaning, and the user id. libzmq never
    /// reads the meaning. The ``SocketMonitor`` of the server and that of the client report the status.
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
