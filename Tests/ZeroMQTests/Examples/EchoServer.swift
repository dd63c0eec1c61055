// SPDX-License-Identifier: Apache-2.0
import ZeroMQ

/// Sends each request back, until the task is cancelled or the context shut down.
func serveEcho(at endpoint: String, _ context: Context) async throws {
    try await withEventLoop("echo") { loop in
        let server = try await AsyncSocket(.rep, context: context, on: loop, options: .service)
        print("echo on", try await server.bind(endpoint))
        for try await request in server.messages {
            try await server.send(request)
        }
    }
}
