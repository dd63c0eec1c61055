// SPDX-License-Identifier: Apache-2.0
import ZeroMQ

/// Greets everyone whose key is in a list, by the name that the list has for it. Needs a ``ZAPHandler`` in the context.
func serveGreetings(on server: AsyncSocket) async throws {
    for try await request in server.messages {
        try await server.send("hello, \(request.property(.userID) ?? "nobody")")
    }
}

/// Admits one client, whose key it knows, and tells what the client and a stranger hear.
func greetOverCurve(at endpoint: String, _ context: Context) async throws -> (greeting: String, refusal: SocketEvent?) {
    // Each side makes its own pair, once, and keeps the secret key in a file that only it can read.
    let (serverKeys, annKeys) = (try CurveKeyPair.generate(), try CurveKeyPair.generate())
    let strangerKeys = try CurveKeyPair.generate()

    var list = ZAPAllowList()
    list.admit(annKeys.publicKey, as: "ann", to: "greetings")
    let handler = try await ZAPHandler(context: context, admitting: list)

    return try await withEventLoop("greetings") { loop in
        var options = SocketOptions.service
        options.security = .curveServer(secretKey: serverKeys.secretKey, domain: "greetings")
        let server = try await AsyncSocket(.rep, context: context, on: loop, options: options)
        let bound = try await server.bind(endpoint)
        let serving = Task { try await serveGreetings(on: server) }

        options = .client
        options.security = .curveClient(serverKey: serverKeys.publicKey, keys: annKeys)
        let ann = try await AsyncSocket(.req, context: context, on: loop, options: options)
        try await ann.connect(bound)
        try await ann.send("good morning")
        let greeting = try await ann.receive()[0].text

        options.security = .curveClient(serverKey: serverKeys.publicKey, keys: strangerKeys)
        let stranger = try await AsyncSocket(.req, context: context, on: loop, options: options)
        let (events, continuation) = AsyncStream.makeStream(of: SocketEvent.self)
        try await stranger.monitor { event, _ in continuation.yield(event) }
        try await stranger.connect(bound)
        // Without a monitor the stranger would wait for an answer without end.
        let refusal = await events.first { event in
            if case .handshakeFailed = event { true } else { false }
        }

        await server.close()
        try await serving.value
        await handler.stop()
        return (greeting, refusal)
    }
}
