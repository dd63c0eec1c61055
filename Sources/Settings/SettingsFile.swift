// SPDX-License-Identifier: Apache-2.0

/// Reads the settings of a YAML file, each with its line.
struct SettingsFile {
    /// The maximum size of a file in bytes, far larger than any file written by hand.
    static let byteLimit = 256 * 1024

    /// The path as the caller gave it, used in messages.
    let path: String
    let schema: SettingsSchema
    private var layer = SettingsLayer()

    /// Reads a settings file.
    ///
    /// - Parameter path: relative to the working directory, or absolute.
    static func read(_ path: String, _ schema: SettingsSchema) throws(SettingsError) -> SettingsLayer {
        let bytes = try BoundedBytes.read(path, upTo: byteLimit)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .malformedFile(path, line: nil, problem: "it is not UTF-8")
        }
        var file = SettingsFile(path: path, schema: schema)
        try file.read(text)
        return file.layer
    }

    private mutating func read(_ text: String) throws(SettingsError) {
        let root: YAMLNode?
        do throws(YAMLError) {
            root = try YAMLNode.read(text)
        } catch {
            throw .malformedFile(path, line: error.line, problem: error.problem)
        }
        guard let root, !root.isNull else { return }
        guard case .mapping(let members) = root.content else {
            throw .malformedFile(path, line: root.line, problem: "it has to be a list of keys with values")
        }
        try apply(members, prefix: [])
    }

    private mutating func apply(_ members: [YAMLNode.Member], prefix: [String]) throws(SettingsError) {
        for member in members { try apply(member.value, at: prefix + [member.name], line: member.line) }
    }

    private mutating func apply(_ value: YAMLNode, at components: [String], line: Int) throws(SettingsError) {
        let origin = SettingOrigin.file(path, line: line)
        let name = components.joined(separator: ".")
        // A name with a dot would be a second spelling of a nested key, which the check for repeated keys would miss.
        if components.contains(where: { $0.contains(".") }) { throw unknown(name, origin) }
        if components.count == 2, isGroup(components[0]), !SettingGroup.isMemberName(components[1]) {
            throw .badName(origin, name: String(components[1].prefix(80)))
        }
        if let key = schema.key(named: name) {
            guard let text = value.text else {
                throw .wrongShape(origin, key: name, expected: "one value", found: value.shape)
            }
            if value.isNull { return }
            try layer.add(key, resolved(text, key.kind), from: origin)
        } else if isBranch(components) {
            if value.isNull { return }
            guard case .mapping(let members) = value.content else {
                throw .wrongShape(origin, key: name, expected: "a block of keys", found: value.shape)
            }
            try apply(members, prefix: components)
        } else {
            throw unknown(name, origin)
        }
    }

    /// Returns whether further keys may be nested below these components of a key.
    private func isBranch(_ components: [String]) -> Bool {
        if isGroup(components[0]), components.count <= 2 { return true }
        let prefix = components.joined(separator: ".") + "."
        return schema.keys.contains { $0.name.hasPrefix(prefix) }
    }

    private func isGroup(_ name: String) -> Bool { schema.groups.contains { $0.name == name } }

    private func unknown(_ name: String, _ origin: SettingOrigin) -> SettingsError {
        .unknownKey(origin, key: String(name.prefix(80)), nearest: schema.nearest(to: name)?.name)
    }

    /// Resolves a path or location, which in a file is relative to the file's folder.
    private func resolved(_ text: String, _ kind: SettingKind) -> String {
        switch kind {
        case .path: SettingsPath.resolve(text, inFolderOf: path)
        case .location: SettingsPath.resolveLocation(text, inFolderOf: path)
        default: text
        }
    }
}

extension YAMLNode {
    fileprivate var shape: String {
        switch content {
        case .scalar: "one value"
        case .mapping: "a block of keys"
        case .sequence: "a list"
        }
    }
}
