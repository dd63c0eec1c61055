// SPDX-License-Identifier: Apache-2.0

import LoadTest
import WaymarkLoad
import WebServer

extension Values {
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

    /// Reads the address of an HTTP interface: `http://HOST:PORT`; the port is 80 if there is none.
    static func origin(_ text: String) throws -> HTTPOrigin {
        if text.hasPrefix("https://") {
            throw BadValue("https is not measured here: k6 and oha do that; give http://HOST:PORT.")
        }
        guard text.hasPrefix("http://") else { throw BadValue("an address is http://HOST:PORT.") }
        var host = text.dropFirst("http://".count)
        if host.hasSuffix("/") { host.removeLast() }
        let address = try (ListenAddress(String(host)) ?? ListenAddress("\(host):80"))
            .orBad("an address is http://HOST:PORT without a path.")
        return HTTPOrigin(host: address.host, port: address.port)
    }

    /// Reads the file of a recorded run.
    static func recording(_ path: String) throws -> LoadRecording {
        let data = try BoundedFile.whole(path, upTo: LoadRecording.mostBytes)
        do { return try LoadRecording(csv: data) } catch {
            throw BadValue("\(path) cannot be sent again: \(error)")
        }
    }
}

extension ValueForm<[LoadAssertion]> {
    static var assertions: Self { Self(word: "list") { text in try BadValue.unless { try LoadAssertion.list(text) } } }
}

extension HTTPOrigin {
    /// The address at which `waymark up` serves the HTTP interface.
    static let usual = HTTPOrigin(host: "127.0.0.1", port: 7_480)
}
