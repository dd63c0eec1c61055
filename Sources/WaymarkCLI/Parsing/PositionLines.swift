// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import WaymarkJSON

/// A position from a receiver, and the time at which it was there.
struct Fix: Hashable, Sendable {
    var place: Coordinate
    /// The time in Unix milliseconds; nil if the line has no time.
    var at: UInt64?
}

/// Reads the output of position receivers line by line: `LAT,LON` in any form that people type, sentences of NMEA 0183,
/// the JSON of gpsd and of phones' apps, and the lines of `waymark track show -o json`.
struct PositionLines {
    static let help = "LAT,LON, NMEA sentences, or the JSON of gpsd or OwnTracks, one on each line"
    private static let mostBytes = 8_192

    private var nmea = NMEAFixes()

    /// Returns the fixes that are known after a line, including an earlier fix that was held until this line. Empty for
    /// a line without a position: an empty line, a line about something else, or a line from a receiver that does not
    /// know its position.
    ///
    /// - Throws: ``BadValue`` for a line that cannot be read.
    mutating func read(_ line: String) throws(BadValue) -> [Fix] {
        guard line.utf8.count <= Self.mostBytes else { throw BadValue("it is longer than \(Self.mostBytes) bytes.") }
        let text = Self.untagged(String(line.trimmed))
        switch text.utf8.first {
        case nil, UInt8(ascii: "!"): return []
        case UInt8(ascii: "{"): return try PositionReport.fixes(text)
        default: break
        }
        // Some programs write the time before a sentence, and a serial line may lose the line end between sentences.
        if let start = text.firstIndex(of: "$") { return try sentences(text[start...]) }
        return [Fix(place: try Values.position(text))]
    }

    /// Returns the fix that is still held at the end of the input; nil if there is none.
    mutating func end() -> Fix? { nmea.end() }

    private mutating func sentences(_ text: Substring) throws(BadValue) -> [Fix] {
        let parts = text.split(separator: "$")
        guard !parts.isEmpty else { throw BadValue("the NMEA sentence has no checksum.") }
        var fixes: [Fix] = []
        for part in parts {
            if let sentence = try NMEASentence("$\(part)") { fixes += nmea.read(sentence) }
        }
        return fixes
    }

    /// Removes the tag block that NMEA 0183, 4.0 allows before a sentence: `\c:1785600000*54\$GPRMC,…`.
    private static func untagged(_ text: String) -> String {
        guard text.hasPrefix("\\"), let end = text.dropFirst().firstIndex(of: "\\") else { return text }
        return String(text[end...].dropFirst())
    }
}

extension Surroundings {
    /// Reads fixes from stdin until its end. Reports and skips lines that cannot be read. Blocks the calling thread.
    func readFixes(_ output: Output, _ body: (Fix) throws -> Void) rethrows {
        var lines = PositionLines()
        while let line = readLine() {
            let fixes: [Fix]
            do throws(BadValue) { fixes = try lines.read(line) } catch {
                output.notice("bad_position", "\"\(Escaping.visible(String(line.prefix(80))))\" is skipped: \(error)")
                continue
            }
            try fixes.forEach(body)
        }
        if let fix = lines.end() { try body(fix) }
    }
}
