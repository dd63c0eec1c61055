// SPDX-License-Identifier: Apache-2.0

import OpeningHours
import WaymarkProtocol

/// A cache of time zones and parsed opening hours. It has one owner, the service.
final class OpeningHoursCache {
    /// A time zone of this machine.
    struct Zone: Hashable {
        let number: Int
        let isAssumed: Bool
    }

    /// The maximum number of texts. People can write any number of texts, so when it is reached all are dropped.
    private static let mostTexts = 2_048

    let zones: PlaceZones
    private var files: [TimeZoneFile] = []
    /// Indices into `files` by the name of the zone; nil for a name that this machine does not know.
    private var numbers: [String: Int?] = [:]
    private var cells = CellZones<Int>()
    private var texts: [String: OpeningHours?] = [:]

    init(_ zones: PlaceZones) { self.zones = zones }

    func file(_ zone: Zone) -> TimeZoneFile { files[zone.number] }

    /// Returns the time zone of a landmark; nil if none is known.
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

    /// Returns how many zones have been looked up by coordinate since the last call.
    func takeLookups() -> Int { cells.takeLookups() }

    private func number(_ name: String) -> Int? {
        if let known = numbers[name] { return known }
        // The number of names is limited already: the configuration and the gazetteer have some hundred.
        let file = TimeZoneFile(name)
        if let file { files.append(file) }
        let number = file == nil ? nil : files.count - 1
        numbers[name] = .some(number)
        return number
    }

    /// Returns the parsed opening hours; nil if the text is not understood.
    func hours(_ text: String) -> OpeningHours? {
        if let known = texts[text] { return known }
        if texts.count >= Self.mostTexts { texts.removeAll() }
        let hours = try? OpeningHours(text)
        texts[text] = .some(hours)
        return hours
    }
}
