// SPDX-License-Identifier: Apache-2.0

internal import WaymarkClient
internal import WaymarkJSON

/// The routes of fences: filters that are kept under a name.
enum FenceRoutes {
    static let all: [WebRoute] = [list, add, one, remove]

    private static let answers: [WebSchemas.Content] = [.json("Fence", in: WebSchemas.fences)]

    private static let list = WebRoute(
        method: .get, template: "/v1/fences", summary: "All fences in the order of their names, a page at a time.",
        parameters: [
            .init(name: "after", help: "Only fences after this name, which is next of the previous page."),
            .init(name: "limit", help: "The most fences, 1 to 1000.", schema: WebSchemas.rows),
        ], answers: [.json("Fences", in: WebSchemas.fences)]
    ) { context, request in
        let after = request.query.text("after") ?? ""
        let limit = try request.query.limit(100)
        let page = try await Problem.of { try await context.reading(request).fences.page(after: after, limit: limit) }
        return WebAnswer {
            $0.array("fences", page.fences)
            $0.field("next", page.hasMore ? page.fences.last?.name : nil)
        }
    }

    private static let add = WebRoute(
        method: .post, template: "/v1/fences",
        summary: "Keep a filter under a name; its owner may replace the fence that has the name.",
        parameters: WriteRoutes.author,
        body: [
            .init(name: "name", isRequired: true, help: "The name, 1 to 64 characters.", schema: WebSchemas.name),
            .init(
                name: "private", help: "Whether links tell no position of the owner's landmarks within it.",
                schema: WebSchemas.flag),
        ] + LandmarkBody.filterFields, answers: answers, success: .created
    ) { context, request in
        let (name, filter, isPrivate) = try await LandmarkBody(request).fence()
        let client = try context.acting(request)
        let fence = try await Problem.of { try await client.fences.add(name, filter, isPrivate: isPrivate) }
        return WebAnswer { $0.fields(fence) }
    }

    private static let one = WebRoute(
        method: .get, template: "/v1/fences/{name}", summary: "A fence: its filter, and to whom it belongs.",
        answers: answers
    ) { context, request in
        let fence = try await Problem.of { try await context.reading(request).fences.find(request.name) }
        return WebAnswer { $0.fields(fence) }
    }

    private static let remove = WebRoute(
        method: .delete, template: "/v1/fences/{name}",
        summary: "Remove a fence; hooks and streams that began with it keep its filter.",
        parameters: WriteRoutes.author, answers: [], success: .noContent
    ) { context, request in
        let client = try context.acting(request)
        try await Problem.of { try await client.fences.remove(request.name) }
        return WebAnswer()
    }
}

extension WebSchemas {
    static let fences = """
        "Fence":{"type":"object","required":["id","name","user",\(filterNames),"private","created","rev"],\
        "properties":{"id":\(whole),"name":\(name),"user":\(optionalText),"account":\(whole),\(filter),\
        "private":{"type":"boolean"},"created":\(time),"rev":\(whole)}},\
        "Fences":{"type":"object","required":["fences","next"],"properties":{"fences":{"type":"array",\
        "items":\(reference("Fence"))},"next":\(optionalText)}}
        """

    /// The members of a filter in an answer.
    static let filter = """
        "lat":{"type":["number","null"]},"lng":{"type":["number","null"]},"radius":{"type":["number","null"]},\
        "within":{"type":["string","object","null"]},"kinds":\(texts),"users":\(texts),"sources":\(texts)
        """
    static let filterNames = #""lat","lng","radius","within","kinds","users","sources""#
}
