// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import ServiceHost
import WebServer

/// The listener of the HTTP interface, which answers from memory: the floor below the interface's answers.
struct ListenerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listener", abstract: "Answers GET /N with N bytes. The table starts it.", shouldDisplay: false)

    /// The most bytes of a body.
    static let most = 65_536

    @Argument(help: "The port on loopback.") var port: UInt16

    func run() async throws {
        OpenFiles.raiseLimit()
        let bytes = ByteBuffer(repeating: UInt8(ascii: " "), count: Self.most)
        // The limits of the HTTP interface.
        let limits = HTTPLimits(connections: OpenFiles.webConnections(wanted: 1_500), queue: 1_024)
        let listener = HTTPListener(
            ListenAddress(host: "127.0.0.1", port: port), setting: "port", limits: limits,
            logger: Logger(label: "waymark-measure"),
            respond: { request, _ in
                guard let count = Int(request.uri.path.dropFirst()),
                    let body = bytes.getSlice(at: 0, length: min(Self.most, max(0, count)))
                else { return Response(status: .notFound) }
                return Response(
                    status: .ok, headers: [.contentType: "application/json"], body: ResponseBody(byteBuffer: body))
            })
        try await listener.run()
    }
}
