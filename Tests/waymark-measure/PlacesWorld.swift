// SPDX-License-Identifier: Apache-2.0

import TestSupport
import WaymarkLoad
import WaymarkProtocol

/// Generated places as people write them: some with opening hours, some with ratings, and a few of a rare kind.
struct PlacesWorld {
    static let rare = "lighthouse"
    private static let usual = ["cafe", "restaurant", "shop", "museum", "park", "viewpoint", "hotel", "bar"]
    private static let weekends = ["", "; Sa 09:00-13:00", "; Sa-Su 10:00-16:00", "; PH off"]

    private var world: LoadWorld
    private let count: Int
    private let rareEvery: Int
    private var random: SplitMix64
    /// The first ones are the most common.
    private let texts: [String]

    /// - Parameters:
    ///   - rare: how many are of the rare kind.
    ///   - texts: how many texts of opening hours there are, 1 to 5,000.
    init(_ count: Int, rare: Int, texts: Int, seed: UInt64) {
        self.count = count
        rareEvery = max(1, count / max(1, rare))
        world = LoadWorld(seed: seed, stream: 4)
        random = SplitMix64(seed: seed)
        self.texts = (0..<texts).map { number in
            let (opens, closes) = (24 + number % 23, 60 + number / 23 % 31)
            return "Mo-Fr \(Self.time(opens))-\(Self.time(closes))" + Self.weekends[number / 713 % Self.weekends.count]
                + (number < 2_852 ? "" : "; Dec 24 off")
        }
    }

    /// A time of day from quarters of an hour.
    private static func time(_ quarters: Int) -> String {
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        return "\(two(quarters / 4)):\(two(quarters % 4 * 15))"
    }

    /// A row of a request that ingests them.
    ///
    /// - Parameters:
    ///   - hours: the share that has opening hours.
    ///   - ratings: the share that has ratings.
    mutating func row(_ number: Int, hours: Double, ratings: Double) -> WireSourceRow {
        let (name, position) = (LoadName.make(UInt64(number), &world), world.position())
        let kind = number % rareEvery == 0 ? Self.rare : world.pick(Self.usual)
        let (hasHours, hasRating) = (random.unit() < hours, random.unit() < ratings)
        let common = random.unit()
        let text = texts[Int(common * common * Double(texts.count))]
        let (stars, people) = (1 + (random.unit() * 40).rounded() / 10, (random.unit() * 500).rounded())
        let draft = WireLandmarkDraft.with {
            ($0.name, $0.attributes.kind) = (name, kind)
            ($0.lat, $0.lng) = (position.latitude, position.longitude)
            if hasHours { $0.attributes.openingHours = text }
            if hasRating { ($0.attributes.rating, $0.attributes.ratings) = (stars, people) }
        }
        return WireSourceRow("\(number)", draft)
    }
}
