// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import LoadTest
import WaymarkJSON
import WaymarkProtocol
import ZeroMQ

/// A message to a worker from the program that divides a load test, its coordinator.
enum WorkerOrder: Codable, Sendable {
    /// Run this load test: the words after `waymark bench`, as the part with this number, from 0, of so many parts.
    case run(words: [String], part: Int, count: Int)
    /// Begin the run that is ready.
    case go
    case stop
    /// A sign of life.
    case beat
}

/// A message from a worker to its coordinator.
enum WorkerAnswer: Codable, Sendable {
    /// The next run can begin.
    case ready
    /// The figures of a second of the run.
    case second(Tally.Second)
    /// A run has ended: its figures, and those of its parts.
    case done([LoadReport.Run])
    case failed(status: Int32, code: String, message: String)
    case beat
}

/// The frames of a message between coordinator and worker: the version of the program that sends it, and JSON.
enum WorkerLetter {
    static func append(_ body: some Encodable, to message: inout Message) {
        message.append(Product.version)
        message.append((try? JSONEncoder().encode(body)).map { [UInt8]($0) } ?? [])
    }

    /// - Throws: a failure if another version of this program sent the message, or another program.
    static func body<Body: Decodable>(of message: borrowing Message) throws(Failure) -> Body {
        let version = message.count < 2 ? "" : String(decoding: message.bytes(at: message.count - 2), as: UTF8.self)
        guard version == Product.version else {
            let other = Escaping.visible(String(version.prefix(40)))
            throw Failure(
                .protocolVersion, "version",
                "One program is waymark \(Product.version), the other \(other): use the same version on all machines.")
        }
        guard let body = try? JSONDecoder().decode(Body.self, from: Data(message.bytes(at: message.count - 1))) else {
            throw Failure("letter", "The message is none that a worker or its coordinator sends.")
        }
        return body
    }
}
