// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks
import SwiftProtobuf
import WaymarkLoad
import WaymarkProtocol

/// Adds a landmark as people add them: a name, a kind, a short note.
struct RelayWrite: LoadOperation {
    let name = "add"
    let word: String

    func append(_ number: UInt64, to body: inout [UInt8]) {
        let request = WireRequest.with {
            $0.add.draft = .with {
                $0.name = "Lookout \(word) \(number)"
                ($0.lat, $0.lng) = (-34 + Double(number % 1_000) / 1_000, 151 + Double(number % 997) / 1_000)
                $0.attributes.kind = "lookout"
            }
            $0.add.note = "Best in the early morning."
        }
        body += (try? request.serializedBytes()) ?? []
    }

    func fault(_ reply: ReplyReader) -> String? { reply.isWritten ? nil : ReplyReader.unreadable }
}

/// Asks for the changes after a revision.
struct RelayQuestion: LoadOperation {
    let name = "changes"
    private let request: [UInt8]

    init(after position: Position, limit: UInt32) {
        let question = WireRequest.with {
            $0.changes.since = position.wire
            $0.changes.limit = limit
        }
        request = (try? question.serializedBytes()) ?? []
    }

    func append(_ number: UInt64, to body: inout [UInt8]) { body += request }

    func fault(_ reply: ReplyReader) -> String? { reply.result == .changes ? nil : ReplyReader.unreadable }
}
