// SPDX-License-Identifier: Apache-2.0

/// The reason why the settings cannot be used. Each description says where the error is and what to do.
public enum SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
    case fileUnreadable(String, reason: String)
    case fileTooLarge(String, limit: Int)
    case malformedFile(String, line: Int?, problem: String)
    case unknownKey(SettingOrigin, key: String, nearest: String?)
    case badName(SettingOrigin, name: String)
    case badValue(SettingOrigin, key: String, value: String, problem: String)
    case wrongShape(SettingOrigin, key: String, expected: String, found: String)
    case empty(SettingOrigin, key: String)
    case repeated(SettingOrigin, key: String, first: SettingOrigin)
    case missing(key: String, flag: String, variable: String)
    case valueMissing(flag: String)
    case unexpectedArgument(String)

    /// The reason as one sentence for people.
    public var description: String {
        switch self {
        case .fileUnreadable(let path, let reason): "\(path): the file cannot be read: \(reason)."
        case .fileTooLarge(let path, let limit):
            "\(path): the file is larger than \(SettingText.text(ofBytes: limit)): name a file of settings."
        case .malformedFile(let path, let line, let problem):
            "\(SettingOrigin.file(path, line: line)): the YAML is malformed: \(problem)."
        case .unknownKey(let origin, let key, let nearest):
            "\(Self.place(origin, key)) is no setting\(nearest.map { ": did you mean \($0)?" } ?? ".")"
        case .badName(let origin, let name):
            "\(origin): \"\(name)\" is no name: give it 1 to 64 small letters, digits and hyphens."
        case .badValue(let origin, let key, let value, let problem):
            "\(Self.place(origin, key)): \"\(value)\" \(problem)."
        case .wrongShape(let origin, let key, let expected, let found):
            "\(Self.place(origin, key)) must be \(expected), not \(found)."
        case .empty(let origin, let key): "\(Self.place(origin, key)) is empty: give it a value or leave it out."
        case .repeated(let origin, let key, let first):
            "\(Self.place(origin, key)) is given twice, first in \(first): leave one out."
        case .missing(let key, let flag, let variable):
            "\(key) is missing: set it in the file, or as \(flag) or \(variable)."
        case .valueMissing(let flag): "\(flag) needs a value: write \(flag)=VALUE."
        case .unexpectedArgument(let argument): "\"\(argument)\" is unexpected: settings are written as --key VALUE."
        }
    }

    /// Returns the place of an error. Adds the key only for a file, because variables and flags contain their key.
    private static func place(_ origin: SettingOrigin, _ key: String) -> String {
        switch origin {
        case .file: "\(origin): \(key)"
        case .default, .variable, .flag: "\(origin)"
        }
    }
}
