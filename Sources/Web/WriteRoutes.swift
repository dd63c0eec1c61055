// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import Landmarks
internal import WaymarkClient
internal import WaymarkJSON
internal import WaymarkProtocol

/// The routes that change something.
enum WriteRoutes {
    static let all: [WebRoute] = [add, edit, remove, addNote, editNote, removeNote]

    private typealias Parameter = WebRoute.Parameter
    static let author = [
        Parameter(
            name: "Waymark-User", place: .header,
            help: "The user's name, percent-encoded UTF-8. Where accounts are required it counts for nothing."),
        Parameter(
            name: "Idempotency-Key", place: .header,
            help: "Any text: the same request with the same key is done once, and gets the same answer."),
    ]
    static let answers: [WebSchemas.Content] = [.json("Written")]
    private static let match = Parameter(
        name: "If-Match", place: .header, help: "The ETag of the landmark: 412 when it has another version.")
    private static let text = Parameter(
        name: "text", isRequired: true, help: "1 to 10,000 characters.", schema: WebSchemas.text(1, 10_000))

    private static let add = WebRoute(
        method: .post, template: "/v1/landmarks", summary: "Add a landmark.", parameters: author,
        body: LandmarkBody.fields(isNew: true), answers: answers, isCreating: true
    ) { context, request, _ throws(Problem) in
        let (draft, note) = try await LandmarkBody(request).draft()
        return try await written(context, request) { (client) throws(ClientError) in
            try await client.add(draft, note: note)
        }
    }

    private static let edit = WebRoute(
        method: .patch, template: "/v1/landmarks/{id}",
        summary: "Change a landmark; what is not named stays, null clears an attribute.",
        parameters: author + [match], body: LandmarkBody.fields(isNew: false), answers: answers
    ) { context, request, path throws(Problem) in
        let (id, version) = (try path.id("id"), try EntityTag.version(from: request.headers))
        let edit = try await LandmarkBody(request).edit()
        do throws(Problem) {
            return try await written(context, request) { (client) throws(ClientError) in
                try await client.edit(id, edit, ifVersion: version)
            }
        } catch {
            var problem = error
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
    ) { context, request, path throws(Problem) in
        let (id, version) = (try path.id("id"), try EntityTag.version(from: request.headers))
        return try await written(context, request) { (client) throws(ClientError) in
            try await client.remove(id, ifVersion: version)
        }
    }

    private static let addNote = WebRoute(
        method: .post, template: "/v1/landmarks/{id}/notes", summary: "Add a note to a landmark.", parameters: author,
        body: [text], answers: answers, isCreating: true
    ) { context, request, path throws(Problem) in
        let id = try path.id("id")
        let text = try await LandmarkBody(request).note()
        return try await written(context, request) { (client) throws(ClientError) in
            try await client.addNote(to: id, text)
        }
    }

    private static let editNote = WebRoute(
        method: .patch, template: "/v1/landmarks/{id}/notes/{note}", summary: "Change a note.", parameters: author,
        body: [text], answers: answers
    ) { context, request, path throws(Problem) in
        let (note, landmark) = try note(path, request)
        let text = try await LandmarkBody(request).note()
        return try await written(context, request) { (client) throws(ClientError) in
            try await client.editNote(note, text, on: landmark)
        }
    }

    private static let removeNote = WebRoute(
        method: .delete, template: "/v1/landmarks/{id}/notes/{note}", summary: "Remove a note.", parameters: author,
        answers: answers
    ) { context, request, path throws(Problem) in
        let (note, landmark) = try note(path, request)
        return try await written(context, request) { (client) throws(ClientError) in
            try await client.removeNote(note, on: landmark)
        }
    }

    /// The note of the path, and the landmark that has to bear it.
    private static func note(
        _ path: WebPath, _ request: WebRequest
    ) throws(Problem) -> (note: Note.ID, on: Landmark.ID) {
        guard request.headers[.ifMatch] == nil else {
            throw Problem.invalid("Notes have no version of their own: leave If-Match out.")
        }
        return (try path.id("note"), try path.id("id"))
    }

    /// - Parameter write: asks a client that acts for whoever asks here.
    static func written(
        _ context: WebContext, _ request: WebRequest,
        by write: (WaymarkClient) async throws(ClientError) -> Written
    ) async throws(Problem) -> WebAnswer {
        let client = context.client.acting(for: try request.author(context.gate))
        let written = try await Problem.of { () throws(ClientError) in try await write(client) }
        var answer = WebAnswer(json: JSONWriter.line { $0.fields(written) })
        if written.version > 0 { answer.headers[.eTag] = EntityTag.version(written.version) }
        return answer
    }
}
