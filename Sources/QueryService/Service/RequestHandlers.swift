// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol
internal import WaymarkTransport

/// The handlers of this service, by kind of request. A request of a kind without a handler is forwarded to storage.
final class RequestHandlers {
    typealias Handler = (WireRequest.OneOf_Command, IncomingRequest) -> Void

    private var table = [Handler?](repeating: nil, count: RequestKind.count)
    private let others: (IncomingRequest) -> Void

    init(others: @escaping (IncomingRequest) -> Void) { self.others = others }

    /// Registers a handler. The table keeps the handler, and everything that it has captured, until ``removeAll()``.
    ///
    /// - Parameter handler: answers, refuses or forwards the request.
    func on(_ kind: RequestKind, do handler: @escaping Handler) { table[Int(kind.rawValue)] = handler }

    func handle(_ command: WireRequest.OneOf_Command, _ request: IncomingRequest) {
        guard let handler = table[Int(request.address.kind.rawValue)] else { return others(request) }
        handler(command, request)
    }

    /// Drops the handlers, and with them their references to components.
    func removeAll() { for place in table.indices { table[place] = nil } }
}
