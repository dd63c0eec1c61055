// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSON
import Landmarks
import OpeningHours

/// Makes landmarks from raw rows, gives each a key, and collects the rejected rows with the reasons.
struct RowCollector {
    /// The path of the list of rows, such as `locations`; empty if the whole body is the list.
    let list: String
    /// The sentence about a row without a name. It says where the format expects the name.
    let namelessReason: String

    /// The number of the line on which each row begins; empty if the body does not consist of lines.
    var lines: [Int]
    /// The reasons why elements of the list are no rows, by their indexes.
    private let faults: [Int: RowReason]

    private var taken: [(index: Int, id: String?, draft: LandmarkDraft)] = []
    private var refused: [(index: Int, row: RejectedRow)] = []
    private var notices: [SourceNotice] = []

    init(_ document: SourceDocument, list: String, namelessReason: String) {
        (self.list, self.namelessReason) = (list, namelessReason)
        (lines, faults) = (document.lines, document.faults)
    }

    mutating func add(_ elements: [JSONValue], _ row: (JSONValue) -> RawRow) {
        for (index, element) in elements.enumerated() { add(row(element), at: index) }
    }

    /// Adds a row, or the reason why it is rejected.
    mutating func add(_ row: RawRow, at index: Int) {
        do {
            let draft = try draft(of: row, at: index)
            // Convert the id to the form in which storage keeps it.
            let id = try row.id.map { id throws(RowReason) in
                try rule { () throws(InvalidInput) in try LandmarkRules.sourceKey(id) }
            }
            taken.append((index, id, draft))
        } catch {
            let name = row.id == nil ? row.name.flatMap { try? LandmarkRules.name($0) } : nil
            let rejected = RejectedRow(
                place: place(index, row.name ?? row.id), reason: error.sentence, common: error.common, key: row.id,
                name: name)
            refused.append((index, rejected))
        }
    }

    /// Adds a notice about a row; about the whole body if `place` is empty.
    mutating func notice(_ text: String, of common: String = "", at place: String = "") {
        notices.append(SourceNotice(place: place, text: text, common: common))
    }

    /// Returns all rows with their keys. A row without an id gets a ``NameKey``; rows with the same name and position
    /// are distinguished by a number in the key.
    consuming func finish(format: String) -> SourceRows {
        // Rejected rows are counted, too, because the key of a row must not depend on whether another row is valid.
        var namesakes: [String: Int] = [:]
        for row in taken where row.id == nil { namesakes[row.draft.name, default: 0] += 1 }
        for name in refused.compactMap({ $0.row.name }) { namesakes[name, default: 0] += 1 }
        var rows: [SourceRow] = []
        rows.reserveCapacity(taken.count)
        var rejected = refused
        for index in rejected.indices {
            // Rows with the same name are distinguished by position. A rejected row may lack one, so it gets no key.
            guard let name = rejected[index].row.name, namesakes[name] == 1 else { continue }
            rejected[index].row.key = NameKey.alone(name)
        }
        var copies: [String: Int] = [:]
        var seen: [String: Int] = [:]
        seen.reserveCapacity(taken.count)
        for (index, id, draft) in taken {
            let unique = id ?? (namesakes[draft.name] == 1 ? NameKey.alone(draft.name) : nil)
            var key = unique ?? NameKey.among(draft.name, at: draft.coordinate)
            if let earlier = seen[key] {
                guard id == nil else {
                    let reason = "The row repeats the id of \(place(earlier, nil))."
                    let row = RejectedRow(
                        place: place(index, draft.name), reason: reason, common: "repeat the id of another row",
                        key: key)
                    rejected.append((index, row))
                    continue
                }
                // The source contains the row more than once, so there are as many landmarks. Which one gets which key
                // is irrelevant.
                let base = key
                repeat {
                    copies[base, default: 1] += 1
                    key = "\(base)#\(copies[base, default: 1])"
                } while seen[key] != nil
            }
            seen[key] = index
            rows.append(SourceRow(key: key, draft: draft))
        }
        return SourceRows(
            format: format, rows: rows, rejected: rejected.sorted { $0.index < $1.index }.map(\.row), notices: notices)
    }

    private mutating func draft(of row: RawRow, at index: Int) throws(RowReason) -> LandmarkDraft {
        if let fault = faults[index] ?? row.fault { throw fault }
        guard let name = row.name else { throw RowReason(namelessReason, of: "have no name") }
        let latitude = try angle(row.latitude, "latitude")
        let longitude = try angle(row.longitude, "longitude")
        let coordinate: Coordinate
        do {
            coordinate = try Coordinate(latitude: latitude, longitude: longitude)
        } catch {
            throw RowReason("The \(error).", of: "have a position out of range")
        }
        var draft = try rule { () throws(InvalidInput) in try LandmarkDraft(name: name, coordinate: coordinate) }
        addAttributes(of: row, to: &draft, at: index)
        return draft
    }

    /// Adds the valid attributes of a row. An invalid attribute is left out with a notice, because a landmark is useful
    /// without it.
    private mutating func addAttributes(of row: RawRow, to draft: inout LandmarkDraft, at index: Int) {
        for (attribute, value) in row.attributes {
            guard let value, !value.isNull else { continue }
            do throws(InvalidInput) {
                switch attribute.form {
                case .text(let access, _):
                    guard let text = attribute == .kind ? value.kindText : value.text else { continue }
                    draft.attributes[access] = try attribute.checked(text)
                case .number(let access, _):
                    draft.attributes[access] = try attribute.checked(Decimal.read(value) ?? .nan)
                }
            } catch {
                let (word, article) = (attribute.word, attribute.word.first.map("aeiou".contains) == true ? "an" : "a")
                notice(
                    "The \(word) was left out. \(error)", of: "have \(article) \(word) that was left out",
                    at: place(index, draft.name))
            }
        }
        let hours = draft.attributes.openingHours
        if !hours.isEmpty, (try? OpeningHours(hours)) == nil {
            notice(
                "The opening hours \"\(hours.shortened(to: 60))\" cannot be read and are kept as text.",
                of: "have opening hours that cannot be read, which are kept as text", at: place(index, draft.name))
        }
        if !draft.link.isEmpty, !LandmarkRules.hasScheme(draft.link) {
            notice(
                "The link \"\(draft.link.shortened(to: 60))\" has no scheme and is kept as text.",
                of: "have a link without a scheme, which is kept as text", at: place(index, draft.name))
        }
    }

    private func angle(_ value: JSONValue?, _ what: String) throws(RowReason) -> Double {
        guard let value, !value.isNull else { throw RowReason("The row has no \(what).", of: "have no \(what)") }
        guard let angle = Decimal.read(value) else {
            throw RowReason(
                "The \(what) is no number: \(value.text?.shortened(to: 40) ?? value.summary).",
                of: "have a \(what) that is no number")
        }
        return angle
    }

    private func rule<Result>(_ body: () throws(InvalidInput) -> Result) throws(RowReason) -> Result {
        do { return try body() } catch { throw RowReason(error.description, of: "break a rule") }
    }

    private func place(_ index: Int, _ label: String?) -> String {
        let place = lines.indices.contains(index) ? "line \(lines[index])" : "\(list)[\(index)]"
        guard let label, !label.isEmpty else { return place }
        return "\(place) (\(label.shortened(to: 60)))"
    }
}
