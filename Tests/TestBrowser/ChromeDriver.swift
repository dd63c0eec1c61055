// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import TestWeb

/// The driver's process, which starts and stops browsers, and takes commands by HTTP on loopback.
final class ChromeDriver: Sendable {
    private let program: Program
    private let port: UInt16

    /// - Parameter directory: for everything that the browser writes.
    init(directory: String) async throws {
        guard let path = BrowserInstallation.driver else { throw BrowserError("chromedriver is not installed") }
        program = try Program(path, ["--port=0"], directory: directory, log: nil)
        do {
            let line = try await program.out.next(within: .seconds(60)) { $0.contains("successfully on port") }
            let found = line.firstMatch(of: #/successfully on port ([0-9]+)\./#)
            guard let port = found.flatMap({ UInt16($0.output.1) }) else { throw BrowserError("no port: \(line)") }
            self.port = port
        } catch {
            program.slay()
            throw error
        }
    }

    /// The member `value` of the answer.
    func ask<Value: Decodable>(
        _ method: String, _ path: String, _ body: [String: Any]? = nil, as: Value.Type = Value.self
    ) async throws -> Value {
        let text = try body.map { String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self) }
        let answer = try await PlainHTTP.request(
            method, port: port, path, headers: ["content-type": "application/json"], body: text ?? "")
        let data = Data(answer.text.utf8)
        guard answer.status == 200 else {
            let refusal = try? JSONDecoder().decode(Answer<Refusal>.self, from: data).value
            throw BrowserError(refusal.map { "\($0.error): \($0.message.prefix(500))" } ?? "HTTP \(answer.status)")
        }
        return try JSONDecoder().decode(Answer<Value>.self, from: data).value
    }

    func stop() async {
        program.send(SIGTERM)
        if (try? await program.ended(within: .seconds(20))) == nil { program.slay() }
    }

    private struct Answer<Value: Decodable>: Decodable { var value: Value }
    private struct Refusal: Decodable {
        var error: String
        var message: String
    }
}

/// An answer without a meaning.
struct Nothing: Decodable {
    init(from decoder: any Decoder) {}
}
