// SPDX-License-Identifier: Apache-2.0

import Foundation
import LoadTest
import WaymarkProtocol

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
    /// The figures of a second of the run, which are also a sign of life.
    case second(Int, Tally.Second)
    /// A run has ended: its figures, and those of its parts.
    case done([LoadReport.Run])
    case failed(status: Int32, code: String, message: String)
    case beat
}

/// A message between coordinator and worker as JSON, with the version of the program that wrote it.
struct WorkerLetter<Body: Codable & Sendable>: Codable, Sendable {
    var version = Product.version
    var body: Body

    var encoded: [UInt8] { (try? JSONEncoder().encode(self)).map { [UInt8]($0) } ?? [] }

    /// - Throws: a failure if the bytes are no message, or were written by another version of this program.
    static func body(of bytes: [UInt8]) throws(Failure) -> Body {
        let (decoder, data) = (JSONDecoder(), Data(bytes))
        guard let version = (try? decoder.decode(WorkerLetterVersion.self, from: data))?.version else {
            throw Failure("letter", "The message is none of waymark bench.")
        }
        guard version == Product.version else {
            let other = Escaping.visible(String(version.prefix(40)))
            throw Failure(
                .protocolVersion, "version",
                "One program is waymark \(Product.version), the other \(other): use the same version on all machines.")
        }
        guard let letter = try? decoder.decode(Self.self, from: data) else {
            throw Failure("letter", "The message is none that a worker or its coordinator sends.")
        }
        return letter.body
    }
}

/// The member that all versions have in common.
private struct WorkerLetterVersion: Decodable { var version: String }
