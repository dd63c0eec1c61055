// SPDX-License-Identifier: Apache-2.0

import LoadTest

extension Values {
    /// Reads a size in bytes: `64`, `4k`, `1M`. The unit k is 1,024.
    static func size(_ text: String) throws -> Int {
        let factors = ["": 1, "k": 1_024, "K": 1_024, "M": 1_048_576]
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits), let factor = factors[String(text.dropFirst(digits.count))],
            (1...MessageSizes.greatest / factor).contains(number)
        else { throw BadValue("a size is a number of bytes up to 16M, such as 64, 4k or 1M.") }
        return number * factor
    }

    /// Reads sizes separated by commas, `64,256,1k,4k`, or a distribution of sizes.
    static func sizes(_ text: String) throws -> [MessageSizes] {
        let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        if halves.count == 2 { return [try distribution(halves[0], halves[1])] }
        let sizes = try text.split(separator: ",", omittingEmptySubsequences: false).map { try size(String($0)) }
        guard sizes.count <= 32 else { throw BadValue("there may be up to 32 sizes.") }
        return sizes.map { .fixed($0) }
    }

    /// Reads a median and a factor, `lognormal:200,2`, or two limits, `uniform:64..4k`.
    private static func distribution(_ name: String, _ text: String) throws -> MessageSizes {
        let forms = BadValue(
            "a distribution is lognormal:MEDIAN,FACTOR or uniform:LEAST..MOST, such as lognormal:200,2.")
        switch name {
        case "lognormal":
            let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            guard parts.count == 2, let factor = number(parts[1]), (1...100).contains(factor) else { throw forms }
            return .lognormal(median: try size(String(parts[0])), factor: factor)
        case "uniform":
            guard let dots = text.firstRange(of: "..") else { throw forms }
            let (least, most) = (try size(String(text[..<dots.lowerBound])), try size(String(text[dots.upperBound...])))
            guard least <= most else { throw forms }
            return .uniform(least...most)
        default: throw forms
        }
    }

    /// Formats the sizes of a case for people: `64 B`, `lognormal 200 B by 2`, `uniform 64 B to 4 KiB`.
    static func text(of sizes: MessageSizes) -> String {
        switch sizes {
        case .fixed(let size): text(ofSize: size)
        case .lognormal(let median, let factor): "lognormal \(text(ofSize: median)) by \(LoadQuantity.digits(factor))"
        case .uniform(let range): "uniform \(text(ofSize: range.lowerBound)) to \(text(ofSize: range.upperBound))"
        case .recorded: "recorded sizes"
        }
    }

    /// Formats a size for people: `64 B`, `4 KiB`.
    static func text(ofSize bytes: Int) -> String {
        if bytes >= 1_048_576, bytes % 1_048_576 == 0 { return "\(bytes >> 20) MiB" }
        return bytes >= 1_024 && bytes % 1_024 == 0 ? "\(bytes >> 10) KiB" : "\(bytes) B"
    }

    /// Reads a number of operations per second: `500`, `20k`.
    static func rate(_ text: String) throws -> Double {
        guard let rate = LoadQuantity.read(text, as: .perSecond), (0.01...10_000_000).contains(rate) else {
            throw BadValue("a rate is a number of operations a second up to 10M, such as 500 or 20k.")
        }
        return rate
    }

    /// Reads a whole number: `100000`, `100k`, `1M`.
    static func quantity(_ text: String) throws -> Int {
        guard let count = LoadQuantity.read(text, as: .count), (1...1e12).contains(count), count.rounded() == count
        else { throw BadValue("it must be a whole number, 1 or more, such as 5000, 100k or 1M.") }
        return Int(count)
    }

    /// Reads a time as ``duration(_:)`` does and returns its seconds. `0s` is allowed, too.
    static func seconds(_ text: String) throws -> Double {
        if ["0", "0s", "0ms"].contains(text) { return 0 }
        return try duration(text) / .seconds(1)
    }

    /// Reads a share: `10%` or `0.1`.
    static func share(_ text: String) throws -> Double {
        guard let share = LoadQuantity.read(text, as: .fraction), (0...100).contains(share) else {
            throw BadValue("it must be a share, such as 10% or 0.1.")
        }
        return share
    }

    /// Reads the file of a recorded run.
    static func recording(_ path: String) throws -> LoadRecording {
        guard let data = BoundedFile.read(path, upTo: LoadRecording.mostBytes) else {
            throw BadValue("\(path) cannot be read: check the path.")
        }
        guard data.count <= LoadRecording.mostBytes else { throw BadValue("\(path) is larger than 1 GiB.") }
        do throws(LoadInputError) {
            return try LoadRecording(csv: data)
        } catch {
            throw BadValue("\(path) cannot be sent again: \(error)")
        }
    }
}

extension ValueForm<[LoadAssertion]> {
    static var assertions: Self { Self(word: "list") { text in try BadValue.unless { try LoadAssertion.list(text) } } }
}
