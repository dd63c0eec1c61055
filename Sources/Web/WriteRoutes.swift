// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import WaymarkClient

/// The routes that change something.
enum WriteRoutes {
    static let all: [WebRoute] = [add, edit, remove, restore, addNote, editNote, removeNote]

    static let author: [WebRoute.Parameter] = [
        .init(
            name: "Waymark-User", place: .header,
            help: "The user's name, as percent-encoded UTF-8; ignored where accounts are required."),
        .init(
            name: "Idempotency-Key", place: .header,
            help: "Any text; a request repeated with the same key is done once, and gets the same answer."),
    ]
    static let answers: [WebSchemas.Content] = [.json("Written")]
    private static let match = WebRoute.Parameter(
        name: "If-Match", place: .header, help: "The landmark's ETag; the answer is 412 if it has another version.")
    private static let text = WebRoute.Parameter(
        name: "text", isRequired: true, help: "The note, 1 to 10,000 characters.", schema: WebSchemas.text(1, 10_000))

    private static let add = WebRoute(
        method: .post, template: "/v1/landmarks", summary: "Add a landmark.", parameters: author,
        body: LandmarkBody.fields(isNew: true), answers: answers, success: .created
    ) { context, request in
        let (draft, note, expires) = try await LandmarkBody(request).draft()
        return try await written(context, request) { try await $0.add(draft, note: note, expires: expires) }
    }

    private static let edit = WebRoute(
        method: .patch, template: "/v1/landmarks/{id}",
        summary: "Change a landmark; fields that are left out stay, null clears an attribute.",
        parameters: author + [match], body: LandmarkBody.fields(isNew: false), answers: answers
    ) { context, request in
        let (id, version) = (try request.id(), try EntityTag.version(from: request.headers))
        let edit = try await LandmarkBody(request).edit()
        do {
            return try await written(context, request) { try await $0.edit(id, edit, ifVersion: version) }
        } catch {
            var problem = Problem(error)
            if let version, problem.version != nil,
                let now = try? await OvertakenEdit(id, since: version, asking: context.client)
            {
                (problem.version, problem.changed) = (now.landmark.version, now.changed)
            }
            throw problem
        }
    }

    private static let remove = WebRoute(
        method: .delete, template: "/v1/landmarks/{id}", summary: "Remove a landmark with its notes.",
        parameters: author + [match], answers: answers
    ) { context, request in
        let (id, version) = (try request.id(), try EntityTag.version(from: request.headers))
        return try await written(context, request) { try await $0.remove(id, ifVersion: version) }
    }

    private static let restore = WebRoute(
        method: .post, template: "/v1/landmarks/{id}/restore",
        summary: "Undo the removal of a landmark, as long as the log of changes has it.", parameters: author,
        answers: answers
    ) { context, request in
        let id = try request.id()
        return try await written(context, request) { try await $0.restore(id) }
    }

    private static let addNote = WebRoute(
        method: .post, template: "/v1/landmarks/{id}/notes", summary: "Add a note to a landmark.", parameters: author,
        body: [text], answers: answers, success: .created
    ) { context, request in
        let id = try request.id()
        let text = try await LandmarkBody(request).note()
        return try await written(context, request) { try await $0.addNote(to: id, text) }
    }

    private static let editNote = WebRoute(
        method: .patch, template: "/v1/landmarks/{id}/notes/{note}", summary: "Change a note.", parameters: author,
        body: [text], answers: answers
    ) { context, request in
        let (note, landmark) = try note(request)
        let text = try await LandmarkBody(request).note()
        return try await written(context, request) { try await $0.editNote(note, text, on: landmark) }
    }

    private static let removeNote = WebRoute(
        method: .delete, template: "/v1/landmarks/{id}/notes/{note}", summary: "Remove a note.", parameters: author,
        answers: answers
    ) { context, request in
        let (note, landmark) = try note(request)
        return try await written(context, request) { try await $0.removeNote(note, on: landmark) }
    }

    /// Returns the id of the note in the path, and the id of the landmark to which the note must belong.
    private static func note(_ request: WebRequest) throws(Problem) -> (note: Note.ID, on: Landmark.ID) {
        guard request.headers[.ifMatch] == nil else {
            throw Problem.invalid("Notes have no version of their own: leave If-Match out.")
        }
        return (try request.id("note"), try request.id())
    }

    /// - Parameter write: performs the write with a client of the protocol that acts for the caller.
    static func written(
        _ context: WebContext, _ request: WebRequest, by write: (WaymarkClient) async throws -> Written
    ) async throws -> WebAnswer {
        let client = try context.acting(request)
        let written = try await Problem.of { try await write(client) }
        var answer = WebAnswer { $0.fields(written) }
        if written.version > 0 { answer.headers[.eTag] = EntityTag.version(written.version) }
        return answer
    }
}
