// SPDX-License-Identifier: Apache-2.0

internal import Accounts
internal import JSON
internal import Landmarks
internal import WaymarkClient
internal import WaymarkJSON
internal import WaymarkProtocol
internal import ZeroMQ

/// The routes with which a person gives a phone a key, and erases a track.
enum PhoneRoutes {
    static let all: [WebRoute] = [
        list, add,
        GrantRoutes.end(
            .move, at: "/v1/phones", "End the key of a phone, at once.",
            missing: "No phone has a key with this fingerprint."), erase,
    ]

    private static let list = WebRoute(
        method: .get, template: "/v1/phones", summary: "The keys of the caller's phones.",
        parameters: GrantRoutes.author, answers: [.json("Phones", in: WebSchemas.phones)]
    ) { context, request in
        let grants = try context.acting(request, repeats: false).grants
        let phones = try await Problem.of { try await grants.all(.move) }
        return WebAnswer { $0.array("phones", phones) { writer, phone in writer.object { $0.phone(phone) } } }
    }

    private static let add = WebRoute(
        method: .post, template: "/v1/phones",
        summary: "Make a key with which a phone moves one landmark; only this answer has the key.",
        parameters: GrantRoutes.author, body: LandmarkBody.phoneFields,
        answers: [.json("NewPhone", in: WebSchemas.phones)], success: .created
    ) { context, request in
        try WebGate.check(request.origin)
        let site = try request.base()
        let (target, label, showsFriends) = try await LandmarkBody(request).phone()
        let client = try context.acting(request, repeats: false)
        let (id, name): (Landmark.ID, String) =
            switch target {
            case .landmark(let known):
                (known, try await Problem.of { try await client.show(known, history: 1) }.landmark.name)
            case .draft(let draft): (try await Problem.of { try await client.add(draft) }.id, draft.name)
            }
        let key = GrantToken()
        do {
            let phone = try await Problem.of {
                try await client.grants.add(
                    key, .move, .landmark(id), label: label ?? PhoneSettings.label(name), locates: showsFriends)
            }
            return WebAnswer {
                $0.phone(phone)
                $0.fields(PhoneSettings(site: site, key: key, name: name))
            }.unkept
        } catch {
            // Another try adds it again.
            if case .draft = target { _ = try? await client.remove(id) }
            throw error
        }
    }

    private static let erase = WebRoute(
        method: .delete, template: "/v1/landmarks/{id}/track",
        summary: "Erase the track of a landmark for good; the landmark stays where it is.",
        parameters: GrantRoutes.author + [
            .init(name: "before", help: "Only points before this RFC 3339 time.", schema: WebSchemas.time)
        ], answers: [.json("Erased", in: WebSchemas.phones)]
    ) { context, request in
        let (id, before) = (try request.id(), try request.query.time("before"))
        let client = try context.acting(request, repeats: false)
        let erased = try await Problem.of { try await client.tracks.erase(of: id, before: before) }
        return WebAnswer { $0.field("points", erased) }
    }
}

extension LandmarkBody {
    fileprivate enum Target {
        case landmark(Landmark.ID)
        /// A landmark that is added for the phone.
        case draft(LandmarkDraft)
    }

    fileprivate static let phoneFields: [WebRoute.Parameter] = [
        .init(name: "label", help: "The label in the list; the landmark's name if it is left out."),
        .init(name: "landmark", help: "The id of the caller's landmark.", schema: WebSchemas.uuid),
        .init(name: "name", help: "Instead: the name of a new landmark.", schema: WebSchemas.text(1, 200)),
        .latitude(), .longitude(),
        .init(
            name: "friends", help: "Whether OwnTracks is told the people near it; true if it is left out.",
            schema: WebSchemas.flag),
    ]

    fileprivate func phone() throws -> (target: Target, label: String?, showsFriends: Bool) {
        let (showsFriends, label) = (try flag("friends", or: true), try text("label"))
        switch (try text("landmark"), try text("name"), try coordinate()) {
        case (let text?, nil, nil):
            guard let id = UUIDv7(text) else { throw Problem.invalid("The field landmark must be an id.") }
            return (.landmark(id), label, showsFriends)
        case (nil, let name?, let place?):
            let draft = try LandmarkDraft(name: name, coordinate: place, attributes: Attributes(kind: "person"))
            return (.draft(draft), label, showsFriends)
        default: throw Problem.invalid("The body must have landmark, or name, lat and lng.")
        }
    }
}

extension WebSchemas {
    fileprivate static let phones = """
        "Phone":{"type":"object","required":["fingerprint","label","landmark","user","made","expires","points","used",\
        "friends"],"properties":{"fingerprint":{"type":"string"},"label":{"type":"string"},"landmark":\(optionalText),\
        "user":\(optionalText),"made":\(time),"expires":\(optionalText),"points":\(whole),"used":\(optionalText),\
        "friends":{"type":"boolean"}}},\
        "Phones":{"type":"object","required":["phones"],"properties":{"phones":{"type":"array",\
        "items":\(reference("Phone"))}}},\
        "NewPhone":{"allOf":[\(reference("Phone")),{"type":"object","required":["key","apps","link","qr"],"properties":{\
        "key":{"type":"string"},"apps":{"type":"object"},"link":{"type":"string"},"qr":{"type":["object","null"],\
        "required":["size","path"],"properties":{"size":\(whole),"path":{"type":"string"}}}}}]},\
        "Erased":{"type":"object","required":["points"],"properties":{"points":\(whole)}}
        """
}
