// SPDX-License-Identifier: Apache-2.0

/// The place where a setting was given its value.
public enum SettingOrigin: Hashable, Sendable, CustomStringConvertible {
    case `default`
    /// A file and the line, counted from 1; nil if the line is unknown.
    case file(String, line: Int?)
    case variable(String)
    case flag(String)

    /// The place in words, such as `config/query.yaml, line 12`, `WAYMARK_QUERY_LISTEN` or `--listen`.
    public var description: String {
        switch self {
        case .default: "the default"
        case .file(let path, let line?): "\(path), line \(line)"
        case .file(let path, nil): path
        case .variable(let name), .flag(let name): name
        }
    }
}

/// The values from one layer, that is, from the file, the environment or the flags.
struct SettingsLayer {
    private(set) var entries: [String: (text: String, origin: SettingOrigin)] = [:]

    /// Checks a value and adds it. An invalid value is an error even if another layer overrides it.
    mutating func add(_ key: SettingKey, _ text: String, from origin: SettingOrigin) throws(SettingsError) {
        if let earlier = entries[key.name] { throw .repeated(origin, key: key.name, first: earlier.origin) }
        if text.isEmpty {
            guard key.defaultText == nil, !key.isRequired else { throw .empty(origin, key: key.name) }
        } else if let problem = key.kind.problem(with: text) {
            throw .badValue(origin, key: key.name, value: String(text.prefix(80)), problem: problem)
        }
        entries[key.name] = (text, origin)
    }
}
