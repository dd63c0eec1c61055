// SPDX-License-Identifier: Apache-2.0

/// The place that gave a setting its value.
public enum SettingOrigin: Hashable, Sendable, CustomStringConvertible {
    case `default`
    /// The line is counted from 1; nil if it is unknown.
    case file(String, line: Int?)
    case variable(String)
    case flag(String)

    /// `config/query.yaml, line 12`, `WAYMARK_QUERY_LISTEN`, `--listen`.
    public var description: String {
        switch self {
        case .default: "the default"
        case .file(let path, let line?): "\(path), line \(line)"
        case .file(let path, nil): path
        case .variable(let name), .flag(let name): name
        }
    }
}

/// The values that one layer gives.
struct SettingsLayer {
    struct Entry: Hashable {
        var text: String
        var origin: SettingOrigin
    }

    private(set) var entries: [String: Entry] = [:]

    /// Checks a value and adds it. A bad value is an error even if a higher layer overrides it.
    mutating func add(_ key: SettingKey, _ text: String, from origin: SettingOrigin) throws(SettingsError) {
        if let earlier = entries[key.name] { throw .repeated(origin, key: key.name, first: earlier.origin) }
        if text.isEmpty {
            guard key.defaultText == nil, !key.isRequired else { throw .empty(origin, key: key.name) }
        } else if let problem = key.kind.problem(with: text) {
            throw .badValue(origin, key: key.name, value: String(text.prefix(80)), problem: problem)
        }
        entries[key.name] = Entry(text: text, origin: origin)
    }
}
