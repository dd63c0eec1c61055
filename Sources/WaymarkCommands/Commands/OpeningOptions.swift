// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WaymarkClient
import WaymarkJSON

/// Selects landmarks by their opening hours.
struct OpeningOptions: ParsableArguments {
    @Flag(help: "Only landmarks that are known to be open now.")
    var open = false

    @Option(
        ValueForm<UInt64>(word: "time", read: Values.time),
        "Only landmarks that are known to be open at this time of RFC 3339: 2026-03-01T09:30:00+11:00.")
    var openAt: UInt64?

    @Flag(help: "With -o json and geojson: tell of each landmark whether it is open, as text does.")
    var hours = false

    func validate() throws {
        try refuse(if: open && openAt != nil, "--open means now: leave it or --open-at out.")
    }

    /// Nil when nobody wants to know.
    func question(_ form: HitForm) -> OpeningQuestion? {
        if open || openAt != nil { return OpeningQuestion(at: openAt, isFilter: true) }
        return hours || form == .text ? OpeningQuestion() : nil
    }
}

extension Values {
    /// Unix milliseconds.
    static func time(_ text: String) throws -> UInt64 {
        try Timestamp.milliseconds(rfc3339: text).flatMap { $0 > 0 ? $0 : nil }
            .orBad("it is a time of RFC 3339, with its offset: 2026-03-01T09:30:00+11:00.")
    }
}
