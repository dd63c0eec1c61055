// SPDX-License-Identifier: Apache-2.0

/// The type of a setting's value, and the texts that are valid for it.
public enum SettingKind: Hashable, Sendable {
    case string
    case int(ClosedRange<Int>)
    case bool
    /// A time such as `500ms`, `5s`, `10m`, `6h` or `1d`.
    case duration(ClosedRange<Duration>)
    /// A size such as `512B`, `64KiB`, `8MiB` or `1GiB`.
    case bytes(ClosedRange<Int>)
    /// A ZeroMQ endpoint: `tcp://host:port`, `ipc://path` or `inproc://name`.
    case endpoint
    /// An endpoint that is announced to others. Its host may be `*`, the host at which they reached the service.
    case announced
    /// One or several endpoints of one service to connect to, separated by commas. Only one is used at a time.
    case endpoints
    /// `host:port`, for a listener that is not a ZeroMQ socket.
    case address
    /// A path. If it is given in a file and is relative, it is resolved in the folder of that file.
    case path
    /// A URL or a path. A relative path or `file:` URL in a file is resolved in the folder of that file.
    case location
    case choice([String])

    /// The word that stands for the value in help texts.
    var placeholder: String {
        switch self {
        case .string: "TEXT"
        case .int: "N"
        case .bool: "BOOL"
        case .duration: "TIME"
        case .bytes: "SIZE"
        case .endpoint, .announced: "ENDPOINT"
        case .endpoints: "ENDPOINTS"
        case .address: "HOST:PORT"
        case .path: "PATH"
        case .location: "URL"
        case .choice: "WORD"
        }
    }

    /// Returns the problem with `text`, as a clause without subject and full stop; nil if there is none.
    func problem(with text: String) -> String? {
        switch self {
        case .string, .path, .location: nil
        case .int(let range): problem(SettingText.int(text), within: range, "is not a whole number") { "\($0)" }
        case .bool: SettingText.bool(text) == nil ? "is neither true nor false" : nil
        case .duration(let range):
            problem(SettingText.duration(text), within: range, "is not a time such as 500ms, 5s, 10m, 6h or 1d") {
                SettingText.text(of: $0)
            }
        case .bytes(let range):
            problem(SettingText.bytes(text), within: range, "is not a size such as 512B, 64KiB, 8MiB or 1GiB") {
                SettingText.text(ofBytes: $0)
            }
        case .endpoint: EndpointText.problem(with: text, for: .listening)
        case .announced: EndpointText.problem(with: text, for: .announcing)
        case .endpoints: EndpointText.problem(withList: text)
        case .address:
            SettingText.isAddress(text) ? nil : "is not an address such as 127.0.0.1:9464 or [::1]:9464"
        case .choice(let words): words.contains(text) ? nil : "is none of \(words.joined(separator: ", "))"
        }
    }

    private func problem<Value: Comparable>(
        _ value: Value?, within range: ClosedRange<Value>, _ malformed: String, _ shown: (Value) -> String
    ) -> String? {
        guard let value else { return malformed }
        if range.contains(value) { return nil }
        return "is not within \(shown(range.lowerBound)) and \(shown(range.upperBound))"
    }
}
