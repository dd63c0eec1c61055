// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Landmarks
import Rates

/// The form of a value on the command line: the word for it in the help, the function that reads it, and the
/// completions that a shell offers.
struct ValueForm<Value>: Sendable {
    let word: String
    var completion: CompletionKind?
    let read: @Sendable (String) throws -> Value

    func help(_ text: String) -> ArgumentHelp { ArgumentHelp(text, valueName: word) }
}

extension ValueForm<String> {
    /// Accepts any text unchanged.
    static func text(_ word: String, completion: CompletionKind? = nil) -> Self {
        Self(word: word, completion: completion) { $0 }
    }
    static var file: Self { Self(word: "file", completion: .file()) { $0 } }
    static var kind: Self { Self(word: "kind", completion: Completions.kinds) { $0 } }
    static var user: Self { Self(word: "name", completion: Completions.users) { $0 } }
    static var source: Self { Self(word: "name", completion: Completions.sources) { $0 } }
    static var fence: Self { Self(word: "name", completion: Completions.fences) { $0 } }
    static var hook: Self { Self(word: "name", completion: Completions.hooks) { $0 } }
    static var site: Self { Self(word: "url", read: Values.site) }
    static var endpoint: Self { Self(word: "endpoint", read: Values.endpoint) }
    static var endpoints: Self { Self(word: "endpoint", read: Values.endpoints) }
    static var listening: Self { Self(word: "endpoint", read: Values.listening) }
}

extension ValueForm<Int> {
    static var count: Self { Self(word: "count", read: Values.count) }
    static func count(upTo most: Int) -> Self {
        Self(word: "count") { text in
            let count = try Values.count(text)
            guard count <= most else { throw BadValue("it is at most \(most).") }
            return count
        }
    }
    static var quantity: Self { Self(word: "count", read: Values.quantity) }
    static var bytes: Self { Self(word: "bytes", read: Values.size) }
}

extension ValueForm<Double> {
    static var distance: Self { Self(word: "distance", read: Values.distance) }
    static var rate: Self { Self(word: "rate", read: Values.rate) }
    static var share: Self { Self(word: "share", read: Values.share) }
    static var seconds: Self { Self(word: "time", read: Values.seconds) }
}

extension ValueForm<Duration> {
    static var time: Self { Self(word: "time", read: Values.duration) }
    static var lasting: Self { Self(word: "time", read: Values.lasting) }
}

extension ValueForm<Location> {
    static var location: Self { Self(word: "lat,lon") { text in try Location(text) } }
}

extension ValueForm<Area> {
    static var area: Self {
        Self(
            word: "south,west,north,east|file", completion: .file(extensions: ["geojson", "json"]), read: Values.area)
    }
}

extension ValueForm<Moment> {
    static var moment: Self { Self(word: "rev|time", read: Values.moment) }
}

extension ValueForm<LandmarkReference> {
    static var reference: Self { Self(word: "id|name", completion: Completions.ids, read: Values.reference) }
}

extension ValueForm<UUIDv7> {
    /// The id of a note. It must be the whole id, because notes cannot be found by the beginning of an id.
    static var note: Self { whole("note", "the id of a note has 36 characters: copy one that show prints.") }
    /// The id of a removed landmark, which cannot be found by the beginning of its id, either.
    static var removed: Self {
        whole("id", "the id of a landmark has 36 characters: copy the one that remove or tail prints.")
    }
    static var epoch: Self { whole("id", "an epoch is an id of 36 characters: copy it from status.") }

    private static func whole(_ word: String, _ advice: String) -> Self {
        Self(word: word) { text in try UUIDv7(String(text.trimmed)).orBad(advice) }
    }
}

extension ValueForm<CurrencyCode> {
    static var currency: Self { Self(word: "currency", read: Values.currency) }
}

extension Option {
    init(_ form: ValueForm<Value>, _ help: String) {
        self.init(help: form.help(help), completion: form.completion, transform: form.read)
    }

    init(wrappedValue: Value, _ form: ValueForm<Value>, name: NameSpecification = .long, _ help: String) {
        self.init(
            wrappedValue: wrappedValue, name: name, help: form.help(help), completion: form.completion,
            transform: form.read)
    }

    init<Given>(_ form: ValueForm<Given>, name: NameSpecification = .long, _ help: String) where Value == Given? {
        self.init(name: name, help: form.help(help), completion: form.completion, transform: form.read)
    }

    /// Defines an option whose value the argument parser reads itself. `word` stands for the value in the help.
    init<Given: ExpressibleByArgument>(word: String, _ help: String) where Value == Given? {
        self.init(help: ArgumentHelp(help, valueName: word))
    }

    init<Given>(wrappedValue: [Given], _ form: ValueForm<Given>, _ help: String) where Value == [Given] {
        self.init(
            wrappedValue: wrappedValue, help: form.help(help), completion: form.completion, transform: form.read)
    }
}

extension Argument {
    init(_ form: ValueForm<Value>, _ help: String) {
        self.init(help: form.help(help), completion: form.completion, transform: form.read)
    }

    init<Given>(_ form: ValueForm<Given>, _ help: String) where Value == Given? {
        self.init(help: form.help(help), completion: form.completion, transform: form.read)
    }

    init<Given>(_ form: ValueForm<Given>, _ help: String) where Value == [Given] {
        self.init(help: form.help(help), completion: form.completion, transform: form.read)
    }
}
