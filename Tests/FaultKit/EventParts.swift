// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Landmarks

/// Server-sent events out of a chunked answer, with code of its own.
struct EventParts {
    struct Event {
        var name = ""
        var id: String?
        var data = ""
    }

    private var input: [UInt8] = []
    private var hasHead = false
    /// The bytes of the chunk that have not come, and the line's end after it.
    private var left = 0
    private var lines: [UInt8] = []
    private var event = Event()

    /// Whether an event has come in part only.
    var isWithinEvent: Bool { !lines.isEmpty || !event.name.isEmpty }

    /// - Returns: the events that are complete now.
    mutating func receive(_ bytes: ArraySlice<UInt8>) -> [Event] {
        input += bytes
        if !hasHead {
            guard let end = input.firstRange(of: Array("\r\n\r\n".utf8)) else { return [] }
            input.removeSubrange(..<end.upperBound)
            hasHead = true
        }
        unpack()
        var events: [Event] = []
        while let end = lines.firstIndex(of: 10) {
            let line = String(decoding: lines[..<end], as: UTF8.self)
            lines.removeSubrange(...end)
            if line.hasPrefix("event: ") { event.name = String(line.dropFirst(7)) }
            if line.hasPrefix("id: ") { event.id = String(line.dropFirst(4)) }
            if line.hasPrefix("data: ") { event.data = String(line.dropFirst(6)) }
            guard line.isEmpty else { continue }
            if !event.name.isEmpty { events.append(event) }
            event = Event()
        }
        return events
    }

    private mutating func unpack() {
        while !input.isEmpty {
            if left > 2 {
                let count = min(left - 2, input.count)
                lines += input[..<count]
                input.removeFirst(count)
                left -= count
            } else if left > 0 {
                let count = min(left, input.count)
                input.removeFirst(count)
                left -= count
            } else {
                guard let end = input.firstRange(of: [13, 10]) else { return }
                let size = Int(String(decoding: input[..<end.lowerBound], as: UTF8.self), radix: 16) ?? 0
                input.removeSubrange(..<end.upperBound)
                left = size + 2
            }
        }
    }
}

extension EventParts.Event {
    /// The position in the id: `EPOCH-RUN-REV` or `EPOCH-REV`.
    var position: Position? {
        guard let words = id?.split(separator: "-").map(String.init), words.count == 6 || words.count == 11,
            let epoch = UUIDv7(words[..<5].joined(separator: "-")), let rev = words.last.flatMap({ UInt64($0) })
        else { return nil }
        return Position(
            epoch: epoch, rev: rev, run: words.count == 11 ? UUIDv7(words[5..<10].joined(separator: "-")) : nil)
    }

    var object: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(data.utf8))) as? [String: Any] ?? [:]
    }

    /// The change as the log must have it; nil if the event is no change.
    var change: Change? {
        let object = object
        guard object["type"] as? String == "change", let told = object["op"] as? String,
            let landmark = (object["landmark"] as? [String: Any]).flatMap(Landmark.init(json:))
        else { return nil }
        // A landmark that enters or leaves a filter was changed.
        return Change(
            rev: Self.number(object["rev"]), at: Self.time(object["at"]),
            operation: Change.Operation(rawValue: told) ?? .changed, user: object["user"] as? String ?? "",
            landmark: landmark, before: (object["before"] as? [String: Any]).flatMap(Landmark.init(json:)))
    }

    static func number(_ value: Any?) -> UInt64 { (value as? NSNumber)?.uint64Value ?? 0 }

    /// Foundation makes a decimal of many digits, whose own conversion to binary is not exact.
    static func double(_ value: Any?) -> Double? { (value as? NSNumber).flatMap { Double("\($0)") } }

    /// `2026-03-01T09:30:00.000Z` in milliseconds since 1970.
    static func time(_ value: Any?) -> UInt64 {
        let numbers = (value as? String ?? "").split { "-T:.Z".contains($0) }.compactMap { Int32($0) }
        guard numbers.count == 7 else { return 0 }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (numbers[0] - 1_900, numbers[1] - 1, numbers[2])
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (numbers[3], numbers[4], numbers[5])
        return UInt64(timegm(&parts)) * 1_000 + UInt64(numbers[6])
    }
}

extension Landmark {
    fileprivate init?(json: [String: Any]) {
        guard let id = (json["id"] as? String).flatMap({ UUIDv7($0) }), let name = json["name"] as? String,
            let latitude = EventParts.Event.double(json["lat"]),
            let longitude = EventParts.Event.double(json["lng"]),
            let coordinate = try? Coordinate(latitude: latitude, longitude: longitude)
        else { return nil }
        let notes = (json["notes"] as? [[String: Any]] ?? []).compactMap { note -> Note? in
            guard let id = (note["id"] as? String).flatMap({ UUIDv7($0) }) else { return nil }
            return Note(
                id: id, text: note["text"] as? String ?? "", user: note["user"] as? String ?? "",
                at: EventParts.Event.time(note["at"]))
        }
        let source = (json["source"] as? [String: String]).map {
            SourceKey(name: $0["name"] ?? "", key: $0["key"] ?? "")
        }
        self.init(
            id: id, name: name, coordinate: coordinate, user: json["user"] as? String ?? "", source: source,
            notes: notes, version: EventParts.Event.number(json["version"]), rev: EventParts.Event.number(json["rev"]),
            created: EventParts.Event.time(json["created"]), updated: EventParts.Event.time(json["updated"]))
        for attribute in Attribute.allCases {
            switch attribute.form {
            case .text(let access, _): attributes[access] = json[attribute.rawValue] as? String ?? ""
            case .number(let access, _):
                attributes[access] = EventParts.Event.double(json[attribute.rawValue])
            }
        }
    }
}
