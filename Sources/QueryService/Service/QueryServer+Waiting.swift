// SPDX-License-Identifier: Apache-2.0

internal import Landmarks
import WaymarkProtocol
internal import WaymarkTransport

/// Requests for changes that wait for something newer. They wait here and not in storage, which is asked only when this
/// service has heard of a change: many clients whose feed cannot be reached cost storage nothing while nothing happens.
extension QueryServer {
    static let mostLongPolls = 4_096
    /// For one account, or one connection where there are no accounts.
    static let mostLongPollsForOne = 64

    /// Keeps a request that asks to wait, if nothing newer than its position is known here. In a region changes outside
    /// are heard of late, so storage keeps the requests.
    ///
    /// - Returns: false if the request has to be answered now.
    func keepWaiting(_ changes: WireChanges, _ request: IncomingRequest) -> Bool {
        guard changes.waitMs > 0, !work.isRefusing, options.region == nil, state.phase == .following, !isStorageAway,
            let here = replica?.position, facts.head <= here.rev,
            waiting?.keep(changes, request, at: here) == true
        else { return false }
        counters.waited += 1
        return true
    }

    /// Answers a request that has waited.
    ///
    /// - Parameter isOver: nothing newer has come in its time. Then the answer needs nobody: its position is that of the
    ///   replica, which storage has found in its history.
    func answer(_ changes: WireChanges, afterWait request: IncomingRequest, isOver: Bool) {
        do throws(ServiceError) { _ = try asker(of: request) } catch { return refuse(request.address, error) }
        if work.isRefusing { return refuse(request.address, .stopping) }
        guard isOver, let here = replica?.position else { return handle(.changes(changes), request) }
        answer(
            request.address,
            WireReply.with {
                $0.changes = .with {
                    ($0.through, $0.head, $0.floor) = (here.rev, here.rev, knownFloor)
                    $0.run = here.run?.wire ?? $0.run
                }
            }.encoded)
    }
}
