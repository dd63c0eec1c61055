// SPDX-License-Identifier: Apache-2.0

public import Landmarks
import SwiftProtobuf
import WaymarkProtocol

extension WaymarkClient {
    /// Adds a landmark, optionally with a first note. When this returns, the landmark is durable: it survives a power
    /// loss.
    public func add(_ draft: LandmarkDraft, note: String? = nil) async throws(ClientError) -> Written {
        try await write(
            .with {
                $0.add = .with {
                    $0.draft = WireLandmarkDraft(draft)
                    $0.note = note ?? ""
                }
            })
    }

    /// - Parameter ifVersion: the edit is refused if the landmark has another version; nil edits any version.
    public func edit(
        _ id: Landmark.ID, _ edit: LandmarkEdit, ifVersion: UInt64? = nil
    ) async throws(ClientError) -> Written {
        try await write(.with { $0.edit = WireEdit(edit, of: id, ifVersion: ifVersion) })
    }

    public func remove(_ id: Landmark.ID, ifVersion: UInt64? = nil) async throws(ClientError) -> Written {
        try await write(
            .with {
                $0.remove = .with {
                    $0.id = id.wire
                    $0.ifVersion = ifVersion ?? 0
                }
            })
    }

    public func addNote(to landmark: Landmark.ID, _ text: String) async throws(ClientError) -> Written {
        try await write(
            .with {
                $0.addNote = .with {
                    $0.landmark = landmark.wire
                    $0.text = text
                }
            })
    }

    public func editNote(_ note: Note.ID, _ text: String) async throws(ClientError) -> Written {
        try await write(
            .with {
                $0.editNote = .with {
                    $0.note = note.wire
                    $0.text = text
                }
            })
    }

    public func removeNote(_ note: Note.ID) async throws(ClientError) -> Written {
        try await write(.with { $0.removeNote = .with { $0.note = note.wire } })
    }

    private func write(_ request: WireRequest) async throws(ClientError) -> Written {
        guard case .written(let wire)? = try await send(request).1.result, let id = UUIDv7(bytes: wire.id) else {
            throw unreadable("write", to: request)
        }
        return Written(
            id: id, rev: wire.rev, version: wire.version, note: UUIDv7(bytes: wire.note), isUnchanged: wire.unchanged)
    }
}
