// SPDX-License-Identifier: Apache-2.0

import Gazetteer
import Geodesy

/// Counts right answers and prints the counts.
struct Marks {
    let gazetteer: Gazetteer
    let showsMisses: Bool

    /// The cases of one file of geocoder-tester.
    func run(_ title: String, _ rows: [[String]]) throws {
        guard let header = rows.first else { return }
        let column = { (name: String) in header.firstIndex(of: name) }
        if let query = column("query"), let expected = column("expected_coordinate") {
            count(title, rows.dropFirst()) { row in
                guard row.count > max(query, expected) else { return nil }
                let numbers = row[expected].split(separator: ",").compactMap { Double($0) }
                guard numbers.count >= 2 else { return nil }
                return first(row[query], near: numbers[0], numbers[1])
            }
            count(title + ", lower case", rows.dropFirst()) { row in
                guard row.count > max(query, expected) else { return nil }
                let numbers = row[expected].split(separator: ",").compactMap { Double($0) }
                guard numbers.count >= 2 else { return nil }
                return first(row[query].lowercased(), near: numbers[0], numbers[1])
            }
        } else if let latitude = column("lat"), let longitude = column("lon"), let city = column("expected_city") {
            count(title + ", reverse", rows.dropFirst()) { row in
                guard row.count > city, let latitude = Double(row[latitude]), let longitude = Double(row[longitude]),
                    let position = try? Coordinate(latitude: latitude, longitude: longitude)
                else { return nil }
                guard let town = gazetteer.surroundings(of: position)?.town else { return "\(row[city]): nothing" }
                // Found by the expected name too: it is that city, in whatever language.
                let same = gazetteer.find(row[city], limit: 20).contains { $0.place.id == town.id }
                return same ? "" : "\(row[city]): \(town.label)"
            }
        } else {
            throw Complaint(description: "\(title) has no columns query and expected_coordinate.")
        }
    }

    /// Cases made of places. The query is nil for those that are not asked.
    func towns(
        _ title: String, _ places: [GazetteerBuilder.PlaceRow], _ query: (GazetteerBuilder.PlaceRow, Int) -> String?
    ) {
        count(title, places.enumerated()) { index, place in
            query(place, index).flatMap { first($0, near: place.latitude, place.longitude) }
        }
    }

    /// One typing mistake in the names of large towns of 6 letters and more.
    func mistakes(_ places: [GazetteerBuilder.PlaceRow]) {
        let large = places.filter {
            $0.population > 300_000 && $0.name.utf8.count == $0.name.count && $0.name.count > 5
        }
        count("300,000 and more, two letters turned round", large.enumerated()) { index, place in
            var letters = Array(place.name)
            let turn = 1 + index % (letters.count - 2)
            guard letters[turn] != letters[turn + 1], letters[turn] != " ", letters[turn + 1] != " " else { return nil }
            letters.swapAt(turn, turn + 1)
            return first(String(letters), near: place.latitude, place.longitude)
        }
    }

    /// How long it takes to find what each beginning of a name may mean.
    func typeAhead(_ names: [String]) {
        let clock = ContinuousClock()
        var times: [Duration] = []
        let focus = try? Coordinate(latitude: 48, longitude: 11)
        for name in names {
            for length in 1...name.count {
                let start = clock.now
                _ = gazetteer.find(String(name.prefix(length)), limit: 10, focus: focus)
                times.append(clock.now - start)
            }
        }
        times.sort()
        guard let longest = times.last else { return }
        print(
            "type-ahead: \(times.count) searches, p50 \(times[times.count / 2]), "
                + "p99 \(times[times.count * 99 / 100]), longest \(longest)")
    }

    /// "" if the first hit is within 10 km, else what was found instead.
    private func first(_ query: String, near latitude: Double, _ longitude: Double) -> String? {
        guard let expected = try? Coordinate(latitude: latitude, longitude: longitude) else { return nil }
        guard let found = gazetteer.find(query, limit: 1).first?.place else { return "\(query): nothing" }
        return Geodesic.distance(from: found.coordinate, to: expected) <= 10_000 ? "" : "\(query): \(found.label)"
    }

    private func count<Cases: Sequence>(_ title: String, _ cases: Cases, _ answer: (Cases.Element) -> String?) {
        let answers = cases.compactMap(answer)
        let wrong = answers.filter { !$0.isEmpty }
        let right = answers.count - wrong.count
        print("\(title): \(right) of \(answers.count), \(Double(right * 1_000 / max(answers.count, 1)) / 10) %")
        if showsMisses { for line in wrong.prefix(60) { print("  \(line)") } }
    }
}
