// SPDX-License-Identifier: Apache-2.0

import OpeningHours
import WaymarkProtocol

/// A cache of time zones and parsed opening hours. It has one owner, the service.
final class OpeningHoursCache {
    /// A zone of this machine, by its index in ``OpeningHoursCache/files``.
    struct Zone: Hashable {
        let number: Int
        let isAssumed: Bool
    }

    /// The most texts that are kept. People can write any number of texts, so beyond it all are dropped.
    private static let mostTexts = 2_048

    let zones: PlaceZones
    private var files: [TimeZoneFile] = []
    /// Indices of zones by name; nil for a name that this machine has no zone of.
    private var numbers: [String: Int?] = [:]
    private var cells = CellZones<Int>()
    private var texts: [String: OpeningHours?] = [:]

    init(_ zones: PlaceZones) { self.zones = zones }

    func file(_ zone: Zone) -> TimeZoneFile { files[zone.number] }

    /// The zone of a landmark; nil if none is known.
    func zone(of landmark: LandmarkView) -> Zone? {
        if !zones.sources.isEmpty, let source = landmark.sourceName.flatMap(WireText.string),
            let name = zones.sources[source]
        {
            return number(name).map { Zone(number: $0, isAssumed: false) }
        }
        let found: Int?
        if let standard = zones.standard {
            found = number(standard)
        } else if let nearest = zones.nearest {
            found = cells.zone(landmark.lat, landmark.lng) { nearest($0, $1).flatMap(number) }
        } else {
            found = nil
        }
        return found.map { Zone(number: $0, isAssumed: true) }
    }

    /// Look-ups of zones by position since the last call.
    func takeLookups() -> Int { cells.takeLookups() }

    private func number(_ name: String) -> Int? {
        if let known = numbers[name] { return known }
        // Names need no limit: they come from the configuration and the gazetteer, which have some hundred.
        let file = TimeZoneFile(name)
        if let file { files.append(file) }
        let number = file == nil ? nil : files.count - 1
        numbers[name] = .some(number)
        return number
    }

    /// The parsed hours; nil if the text is not understood.
    func hours(_ text: String) -> OpeningHours? {
        if let known = texts[text] { return known }
        if texts.count >= Self.mostTexts { texts.removeAll() }
        let hours = try? OpeningHours(text)
        texts[text] = .some(hours)
        return hours
    }
}
