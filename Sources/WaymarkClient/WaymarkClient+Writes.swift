// SPDX-License-Identifier: Apache-2.0

public import Landmarks
import SwiftProtobuf
package import WaymarkProtocol

extension WaymarkClient {
    /// Adds a landmark, optionally with a first note. When this returns, the landmark is durable: it survives a power
    /// loss.
    public func add(_ draft: LandmarkDraft, note: String? = nil) async throws(ClientError) -> Written {
        try await write(.adding(draft, note: note))
    }

    /// - Parameter ifVersion: the edit is refused if the landmark has another version; nil edits any version.
    public func edit(
        _ id: Landmark.ID, _ edit: LandmarkEdit, ifVersion: UInt64? = nil
    ) async throws(ClientError) -> Written {
        try await write(.editing(id, edit, ifVersion: ifVersion))
    }

    public func remove(_ id: Landmark.ID, ifVersion: UInt64? = nil) async throws(ClientError) -> Written {
        try await write(.removing(id, ifVersion: ifVersion))
    }

    public func addNote(to landmark: Landmark.ID, _ text: String) async throws(ClientError) -> Written {
        try await write(.addingNote(to: landmark, text))
    }

    public func editNote(_ note: Note.ID, _ text: String) async throws(ClientError) -> Written {
        try await write(.editingNote(note, text))
    }

    public func removeNote(_ note: Note.ID) async throws(ClientError) -> Written {
        try await write(.removingNote(note))
    }

    /// - Parameter author: on whose behalf; nil: the client's own user.
    package func write(_ request: WireRequest, by author: RequestAuthor? = nil) async throws(ClientError) -> Written {
        guard case .written(let wire)? = try await send(request, by: author).1.result, let id = UUIDv7(bytes: wire.id)
        else { throw unreadable("write", to: request) }
        return Written(
            id: id, rev: wire.rev, version: wire.version, note: UUIDv7(bytes: wire.note), isUnchanged: wire.unchanged)
    }
}

extension WireRequest {
    package static func adding(_ draft: LandmarkDraft, note: String?) -> WireRequest {
        .with {
            $0.add = .with {
                $0.draft = WireLandmarkDraft(draft)
                $0.note = note ?? ""
            }
        }
    }

    package static func editing(_ id: Landmark.ID, _ edit: LandmarkEdit, ifVersion: UInt64?) -> WireRequest {
        .with { $0.edit = WireEdit(edit, of: id, ifVersion: ifVersion) }
    }

    package static func removing(_ id: Landmark.ID, ifVersion: UInt64?) -> WireRequest {
        .with {
            $0.remove = .with {
                $0.id = id.wire
                $0.ifVersion = ifVersion ?? 0
            }
        }
    }

    package static func addingNote(to landmark: Landmark.ID, _ text: String) -> WireRequest {
        .with {
            $0.addNote = .with {
                $0.landmark = landmark.wire
                $0.text = text
            }
        }
    }

    /// - Parameter bearer: the landmark that has to bear the note; nil: any.
    package static func editingNote(_ note: Note.ID, _ text: String, on bearer: Landmark.ID? = nil) -> WireRequest {
        .with {
            $0.editNote = .with {
                $0.note = note.wire
                $0.text = text
                if let bearer { $0.landmark = bearer.wire }
            }
        }
    }

    package static func removingNote(_ note: Note.ID, on bearer: Landmark.ID? = nil) -> WireRequest {
        .with {
            $0.removeNote = .with {
                $0.note = note.wire
                if let bearer { $0.landmark = bearer.wire }
            }
        }
    }
}
