// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol
internal import WaymarkTransport

/// What handles each kind of request here. A kind without a handler is passed on to storage.
final class RequestHandlers {
    typealias Handler = (WireRequest.OneOf_Command, IncomingRequest) -> Void

    private var table = [Handler?](repeating: nil, count: RequestKind.count)
    private let others: (IncomingRequest) -> Void

    init(others: @escaping (IncomingRequest) -> Void) { self.others = others }

    /// - Parameter handler: may decline by passing the request on itself. It, and what it has captured, lives as long as this
    ///   table has it: until ``removeAll()``.
    func on(_ kinds: RequestKind..., do handler: @escaping Handler) {
        for kind in kinds { table[Int(kind.rawValue)] = handler }
    }

    func handle(_ command: WireRequest.OneOf_Command, _ request: IncomingRequest) {
        guard let handler = table[Int(request.address.kind.rawValue)] else { return others(request) }
        handler(command, request)
    }

    /// Ends the references to components.
    func removeAll() { for place in table.indices { table[place] = nil } }
}
