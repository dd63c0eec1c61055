// SPDX-License-Identifier: Apache-2.0

/// The steps and ramps of an open loop's rate: `30s@1k, 2m@5k, 30s@1k..20k`.
public struct LoadProfile: Hashable, Sendable {
    /// A time in which the rate stays the same or changes evenly.
    public struct Part: Codable, Hashable, Sendable {
        public let seconds: Double
        /// The rate at the beginning and at the end, in operations per second of all generators together.
        public let from, to: Double
        /// The time at which the part begins, in seconds.
        public fileprivate(set) var begin = 0.0
        /// The number of operations before the part.
        fileprivate var before = 0.0

        enum CodingKeys: String, CodingKey { case seconds, from, to }

        /// The part in words: `30.0 s at 1000/s to 20.0 k/s`.
        public var label: String {
            let ramp = to == from ? "" : " to " + LoadQuantity.text(to, .perSecond)
            let rates = LoadQuantity.text(from, .perSecond) + ramp
            return "\(LoadQuantity.text(seconds * 1e6, .microseconds)) at \(rates)"
        }

        fileprivate var isValid: Bool {
            let rates = 0...LoadProfile.highestRate
            return (0.001...LoadProfile.longest).contains(seconds) && rates.contains(from) && rates.contains(to)
        }

        /// The integral of the rate over the first seconds of the part.
        fileprivate func operations(in time: Double) -> Double { time * (from + (to - from) / seconds * time / 2) }

        /// The inverse of ``operations(in:)``.
        fileprivate func time(of operations: Double) -> Double {
            guard operations > 0 else { return 0 }
            // This form of the quadratic equation's solution loses no digits, and needs no special case for steps.
            let root = (from * from + 2 * (to - from) / seconds * operations).squareRoot()
            let time = 2 * operations / (from + root)
            // Rounding may have made the root's argument negative at the end of a ramp to 0.
            return time.isFinite ? min(time, seconds) : seconds
        }
    }

    static let most = 64
    static let highestRate = 10_000_000.0
    /// The longest time of all parts together, in seconds.
    static let longest = 86_400.0

    /// The parts in order, at least one.
    public let parts: [Part]
    /// The share of the operations that one generator sends; less than 1 if the load is divided among several.
    public let share: Double

    /// - Throws: an error that names the part that cannot be read, and the accepted forms.
    public init(_ text: String) throws(LoadInputError) {
        let words = text.filter { !$0.isWhitespace }.split(separator: ",", omittingEmptySubsequences: false)
        guard words.count <= Self.most else { throw LoadInputError("A profile has at most \(Self.most) parts.") }
        var parts: [Part] = []
        for word in words {
            let (time, rates) = Self.halves(word, "@")
            let (from, to) = Self.halves(rates, "..")
            let part = Part(
                seconds: LoadQuantity.seconds(String(time)) ?? 0,
                from: LoadQuantity.read(String(from), as: .perSecond) ?? -1,
                to: LoadQuantity.read(String(rates == from ? from : to), as: .perSecond) ?? -1)
            guard part.isValid else {
                throw LoadInputError(
                    "\"\(word.prefix(40))\" is no part of a profile: write TIME@RATE or TIME@RATE..RATE, "
                        + "such as 30s@1k or 1m@1k..20k, with at most 10M a second.")
            }
            parts.append(part)
        }
        guard let profile = LoadProfile(parts, share: 1) else {
            throw LoadInputError("A profile has at least one operation and takes at most 24 h.")
        }
        self = profile
    }

    private init?(_ parts: [Part], share: Double) {
        guard (1...Self.most).contains(parts.count), parts.allSatisfy(\.isValid), (1e-6...1).contains(share) else {
            return nil
        }
        var (parts, begin, before) = (parts, 0.0, 0.0)
        for place in parts.indices {
            (parts[place].begin, parts[place].before) = (begin, before)
            begin += parts[place].seconds
            before += parts[place].operations(in: parts[place].seconds)
        }
        guard begin <= Self.longest, before >= 1 else { return nil }
        (self.parts, self.share) = (parts, share)
    }

    private static func halves(_ text: Substring, _ separator: String) -> (Substring, Substring) {
        guard let range = text.firstRange(of: separator) else { return (text, "") }
        return (text[..<range.lowerBound], text[range.upperBound...])
    }

    /// Returns the same profile with a part of its operations.
    func divided(by count: Int) -> LoadProfile { LoadProfile(parts, share: share / Double(max(1, count))) ?? self }
    public var seconds: Double { parts.last.map { $0.begin + $0.seconds } ?? 0 }

    /// The number of operations of all parts together.
    public var operations: Double { operations(until: seconds) }

    /// The integral of the rate from 0 to a time in seconds.
    public func operations(until seconds: Double) -> Double {
        guard seconds > 0, let part = parts.last(where: { $0.begin < seconds }) else { return 0 }
        return share * (part.before + part.operations(in: min(seconds - part.begin, part.seconds)))
    }

    /// Returns the last time in seconds at which no more than `operations` have become due: the inverse of
    /// ``operations(until:)``. Infinite if the profile has no more operations than that.
    public func time(of operations: Double) -> Double {
        guard operations < self.operations else { return .infinity }
        let whole = max(0, operations) / share
        guard let part = parts.last(where: { $0.before <= whole }) else { return 0 }
        return part.begin + part.time(of: whole - part.before)
    }

    /// Returns the index of the part to which a time in seconds belongs.
    public func part(at seconds: Double) -> Int {
        // Times are kept in nanoseconds, so a begin may have been rounded down.
        parts.lastIndex { $0.begin <= seconds + 1e-9 } ?? 0
    }
}

extension LoadProfile: Codable {
    enum CodingKeys: String, CodingKey { case parts, share }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let parts = try values.decode([Part].self, forKey: .parts)
        guard let profile = LoadProfile(parts, share: try values.decode(Double.self, forKey: .share)) else {
            throw DecodingError.dataCorruptedError(forKey: .parts, in: values, debugDescription: "not a profile")
        }
        self = profile
    }
}
