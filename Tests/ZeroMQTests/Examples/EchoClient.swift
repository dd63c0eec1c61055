// SPDX-License-Identifier: Apache-2.0
import ZeroMQ

/// Asks an echo server, and asks again when no answer comes in time.
func askEcho(_ text: String, at endpoint: String, _ context: Context, patience: Duration) async throws -> String {
    try await withEventLoop("ask") { loop in
        var options = SocketOptions.client
        // The next request may go out before the last one was answered, and a late answer is dropped.
        options.reqRelaxed = true
        options.reqCorrelate = true
        let client = try await AsyncSocket(.req, context: context, on: loop, options: options)
        try await client.connect(endpoint)
        while true {
            try await client.send(text)
            let answer = Task { try await client.receive() }
            let alarm = Task {
                try await Task.sleep(for: patience)
                answer.cancel()
            }
            defer { alarm.cancel() }
            do {
                return try await answer.value[0].text
            } catch let error as ZeroMQError where error.code == .cancelled {
                print("no answer from \(endpoint): asking again")
            }
        }
    }
}
