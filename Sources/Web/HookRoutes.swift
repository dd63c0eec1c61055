// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import JSON
internal import WaymarkClient
internal import WaymarkJSON

/// The routes of hooks, to whose URLs the service sends changes. A caller sees their own, an administrator all.
enum HookRoutes {
    static let all: [WebRoute] = [list, add, one, failed, remove, test, pause, resume, rotate, redeliver]

    private static let answers: [WebSchemas.Content] = [.json("Hook", in: WebSchemas.hooks)]

    private static func after(_ help: String) -> WebRoute.Parameter {
        .init(name: "after", help: help + ", which is next of the previous page.", schema: WebSchemas.whole)
    }

    private static let list = WebRoute(
        method: .get, template: "/v1/hooks", summary: "The caller's hooks and the newest revision, a page at a time.",
        parameters: [after("Only hooks after this id"), ReadRoutes.limit],
        answers: [.json("Hooks", in: WebSchemas.hooks)]
    ) { context, request in
        let (after, limit) = (try request.query.revision("after"), try request.query.limit(100))
        let page = try await Problem.of { try await context.reading(request).hooks.page(after: after, limit: limit) }
        return WebAnswer {
            $0.array("hooks", page.hooks)
            $0.field("head", page.head)
            $0.field("next", page.hasMore ? page.hooks.last?.id : nil)
        }
    }

    private static let one = WebRoute(
        method: .get, template: "/v1/hooks/{name}", summary: "A hook: what it sends, and how far it is.",
        answers: answers
    ) { context, request in
        let found = try await Problem.of { try await context.reading(request).hooks.find(request.name) }
        return WebAnswer { $0.fields(found.hook) }
    }

    private static let failed = WebRoute(
        method: .get, template: "/v1/hooks/{name}/failed",
        summary: "The messages of a hook that were given up, or wait to be sent again, a page at a time.",
        parameters: [after("Only messages after this number"), ReadRoutes.limit],
        answers: [.json("HookFailures", in: WebSchemas.hooks)]
    ) { context, request in
        let (after, limit) = (try request.query.revision("after"), try request.query.limit(20))
        let hooks = context.reading(request).hooks
        let page = try await Problem.of { try await hooks.failures(of: request.name, after: after, limit: limit) }
        return WebAnswer {
            $0.array("failures", page.failures)
            $0.field("next", page.hasMore ? page.failures.last?.number : nil)
        }
    }

    private static let add = WebRoute(
        method: .post, template: "/v1/hooks", summary: "Add a hook; only this answer has its secret.",
        parameters: WriteRoutes.author, body: LandmarkBody.hookFields, answers: answers, success: .created
    ) { context, request in
        let body = try await LandmarkBody(request)
        var hook = try body.hook()
        if !hook.fence.isEmpty { hook.filter = try await context.filter(hook.filter, within: hook.fence, for: request) }
        let (checked, client) = (hook, try context.acting(request))
        let added = try await Problem.of { try await client.hooks.add(checked) }
        return WebAnswer { $0.fields(added) }.unkept
    }

    private static let remove = WebRoute(
        method: .delete, template: "/v1/hooks/{name}", summary: "Remove a hook and its failed messages.",
        parameters: WriteRoutes.author, answers: [], success: .noContent
    ) { context, request in
        _ = try await changed(context, request, .remove)
        return WebAnswer()
    }

    private static let test = act("test", "Send a message that says that it is a test.") { _ in .test }
    private static let pause = act("pause", "Deliver nothing until the hook is resumed.") { _ in .pause }
    private static let rotate = act(
        "rotate", "Make another secret, which only this answer has; the former one counts for 24 hours more."
    ) { _ in .rotate }
    private static let resume = act(
        "resume", "Deliver again, from where the hook was.",
        .init(name: "from", help: "Instead: now, or the revision after which to begin.")
    ) { .resume(try $0.value("from", "now or a revision") { HookStart(text: $0) }) }
    private static let redeliver = act(
        "redeliver", "Send a change again, outside the order.",
        .init(name: "rev", isRequired: true, help: "The change's revision.", schema: WebSchemas.whole)
    ) { query in
        _ = try query.text("rev", or: "give that of the change")
        return .redeliver(try query.revision("rev"))
    }

    private static func act(
        _ word: String, _ summary: String, _ parameter: WebRoute.Parameter? = nil,
        change: @escaping @Sendable (WebQuery) throws -> HookChange
    ) -> WebRoute {
        WebRoute(
            method: .post, template: "/v1/hooks/{name}/\(word)", summary: summary,
            parameters: WriteRoutes.author + [parameter].compactMap(\.self), answers: answers
        ) { context, request in
            let hooks = try await changed(context, request, try change(request.query))
            let hook = try hooks.first.or(Problem(.notFound, "not_found", "There is no such hook."))
            // It may have a secret.
            return WebAnswer { $0.fields(hook) }.unkept
        }
    }

    private static func changed(
        _ context: WebContext, _ request: WebRequest, _ change: HookChange
    ) async throws -> [Hook] {
        let client = try context.acting(request)
        return try await Problem.of { try await client.hooks.change(request.name, change) }
    }
}

extension WebQuery {
    /// Returns a revision or another number; 0 if the parameter is missing.
    fileprivate func revision(_ name: String) throws(Problem) -> UInt64 {
        try value(name, "a whole number") { UInt64($0) } ?? 0
    }
}

extension LandmarkBody {
    fileprivate static let hookFields: [WebRoute.Parameter] =
        [
            .init(name: "name", isRequired: true, help: "The name, 1 to 64 characters.", schema: WebSchemas.name),
            .init(
                name: "url", isRequired: true, help: "The receiver, by http or https.",
                schema: WebSchemas.text(1, 2_048)),
            .init(name: "fence", help: "Only changes within this fence, by its name.", schema: WebSchemas.name),
        ] + filterFields + [
            .init(name: "ids", help: "Only the landmarks with these ids.", schema: WebSchemas.texts),
            .init(name: "ops", help: "Only these operations, such as entered and left.", schema: WebSchemas.texts),
            .init(name: "batch", help: "The most changes of a message; 1 if it is left out.", schema: WebSchemas.rows),
            .init(
                name: "from", help: "now (if it is left out), start (the log's oldest change), or a revision.",
                schema: #"{"type":["string","integer"]}"#),
            .init(name: "secret", help: "whsec_ and base64 of 24 to 64 bytes; made if it is left out."),
        ]

    /// Returns a hook without the conditions of its fence.
    fileprivate func hook() throws -> NewHook {
        var hook = NewHook(name: try required("name"), url: try required("url"))
        hook.filter = try filter()
        hook.filter.ids = try set("ids", of: "ids of 36 characters") { UUIDv7($0) }
        hook.filter.operations = try set("ops", of: "operations, such as entered and left") {
            FeedOperation(rawValue: $0)
        }
        hook.filter = try hook.filter.checked()
        hook.fence = try value("fence", "the name of a fence") { $0.string?.nilIfEmpty } ?? ""
        hook.batch = try Int(exactly: try number("batch") ?? 1).flatMap { (1...1_000).contains($0) ? $0 : nil }
            .or(.invalid("The field batch must be a whole number from 1 to 1000."))
        hook.start = try value("from", "now, start or a revision") { $0.text.flatMap { HookStart(text: $0) } } ?? .now
        hook.secret = try text("secret")
        return hook
    }
}

extension WebSchemas {
    fileprivate static let hooks = """
        "Hook":{"type":"object","required":["id","name","user","url","fence",\(filterNames),"ids","ops","batch","state","reason",\
        "position","delivered","failures","last_success","last_try","error","failing_since","failed","failed_bytes","created"],\
        "properties":{"id":\(whole),"name":\(name),"user":\(optionalText),"account":\(whole),"url":{"type":"string"},\
        "fence":\(optionalText),\(filter),"ids":\(texts),"ops":\(texts),"batch":\(rows),\
        "state":{"enum":["active","paused","stopped"]},"reason":\(optionalText),"position":{"type":["object","null"],\
        "required":["epoch","rev","run"],"properties":{"epoch":\(uuid),"rev":\(whole),"run":\(optionalText)}},\
        "delivered":\(whole),"failures":\(whole),"last_success":\(optionalText),"last_try":\(optionalText),\
        "error":\(optionalText),"failing_since":\(optionalText),"failed":\(whole),"failed_bytes":\(whole),"created":\(time),\
        "secret":{"type":"string"}}},\
        "Hooks":{"type":"object","required":["hooks","head","next"],"properties":{"hooks":{"type":"array",\
        "items":\(reference("Hook"))},"head":\(whole),"next":{"type":["integer","null"]}}},\
        "HookFailures":{"type":"object","required":["failures","next"],"properties":{"failures":{"type":"array",\
        "items":{"type":"object","required":["number","rev","at","reason","due","message","batch","body"],"properties":{\
        "number":\(whole),"rev":\(whole),"at":\(time),"reason":\(optionalText),"due":{"type":"boolean"},\
        "message":\(optionalText),"batch":{"type":"boolean"},"body":\(optionalText)}}},"next":{"type":["integer","null"]}}}
        """
}
