// SPDX-License-Identifier: Apache-2.0

import Foundation
import Yams

/// Reads the YAML layer. Checked here rather than by the configuration library, which takes unknown keys in silence and
/// knows no lines.
struct SettingsFile {
    /// Far beyond what anybody writes by hand.
    static let byteLimit = 256 * 1024
    /// Aliases of aliases grow without bound while YAML is read; that few cannot.
    private static let aliasLimit = 16

    /// As it was named, for messages.
    let path: String
    let schema: SettingsSchema
    private var layer = SettingsLayer()

    /// - Parameter path: from the working directory, if it is relative.
    static func read(_ path: String, _ schema: SettingsSchema) throws(SettingsError) -> SettingsLayer {
        let bytes = try contents(of: path)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .malformedFile(path, line: nil, problem: "it is not UTF-8")
        }
        var file = SettingsFile(path: path, schema: schema)
        try file.read(text)
        return file.layer
    }

    private init(path: String, schema: SettingsSchema) {
        self.path = path
        self.schema = schema
    }

    private static func contents(of path: String) throws(SettingsError) -> [UInt8] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw .fileUnreadable(path, reason: "there is no such file")
        }
        if isFolder.boolValue { throw .fileUnreadable(path, reason: "it is a folder") }
        do {
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? handle.close() }
            let data = try handle.read(upToCount: byteLimit + 1) ?? Data()
            if data.count > byteLimit { throw SettingsError.fileTooLarge(path, limit: byteLimit) }
            return [UInt8](data)
        } catch let error as SettingsError {
            throw error
        } catch {
            throw .fileUnreadable(path, reason: error.localizedDescription)
        }
    }

    private mutating func read(_ text: String) throws(SettingsError) {
        if Self.aliasCount(text) > Self.aliasLimit { throw .malformedFile(path, line: nil, problem: "it uses aliases") }
        do {
            let parser = try Parser(yaml: text, encoding: .utf8)
            // The parser owns the anchors that the nodes refer to.
            try withExtendedLifetime(parser) {
                guard let root = try parser.singleRoot(), !root.isEmptyScalar else { return }
                guard case .mapping(let mapping) = root else {
                    throw SettingsError.malformedFile(path, line: root.mark?.line, problem: "it holds no keys")
                }
                try take(mapping, prefix: [])
            }
        } catch let error as SettingsError {
            throw error
        } catch let error as YamlError {
            throw Self.error(error, path)
        } catch {
            throw .malformedFile(path, line: nil, problem: "it cannot be read")
        }
    }

    private mutating func take(_ mapping: Node.Mapping, prefix: [String]) throws(SettingsError) {
        for (nameNode, value) in mapping {
            guard case .scalar(let scalar) = nameNode else {
                throw .malformedFile(path, line: nameNode.mark?.line, problem: "a key is no word")
            }
            let line = scalar.mark?.line
            if nameNode.anchor != nil || value.anchor != nil {
                throw .malformedFile(path, line: line, problem: "anchors and aliases are not read")
            }
            try take(value, at: prefix + [scalar.string], line: line)
        }
    }

    private mutating func take(_ value: Node, at components: [String], line: Int?) throws(SettingsError) {
        let origin = SettingOrigin.file(path, line: line)
        let name = components.joined(separator: ".")
        // A dot within a name would reach a nested key by another way, and past the check for doubles.
        if components.contains(where: { $0.contains(".") }) { throw unknown(name, origin) }
        if components.count == 2, isGroup(components[0]), !SettingGroup.isMemberName(components[1]) {
            throw .badName(origin, name: String(components[1].prefix(80)))
        }
        if let key = schema.key(named: name) {
            guard case .scalar(let scalar) = value else {
                throw .wrongShape(origin, key: name, expected: "one value", found: value.shape)
            }
            if value.isEmptyScalar { return }
            try layer.add(key, resolved(scalar.string, key.kind), from: origin)
        } else if isBranch(components) {
            if value.isEmptyScalar { return }
            guard case .mapping(let mapping) = value else {
                throw .wrongShape(origin, key: name, expected: "a block of keys", found: value.shape)
            }
            try take(mapping, prefix: components)
        } else {
            throw unknown(name, origin)
        }
    }

    /// Whether keys may stand below these words.
    private func isBranch(_ components: [String]) -> Bool {
        if isGroup(components[0]), components.count <= 2 { return true }
        let prefix = components.joined(separator: ".") + "."
        return schema.keys.contains { $0.name.hasPrefix(prefix) }
    }

    private func isGroup(_ name: String) -> Bool { schema.groups.contains { $0.name == name } }

    private func unknown(_ name: String, _ origin: SettingOrigin) -> SettingsError {
        .unknownKey(origin, key: String(name.prefix(80)), nearest: schema.nearest(to: name)?.name)
    }

    /// Paths in the file are meant from its folder.
    private func resolved(_ text: String, _ kind: SettingKind) -> String {
        switch kind {
        case .path: SettingsPath.resolve(text, inFolderOf: path)
        case .location: SettingsPath.resolveLocation(text, inFolderOf: path)
        default: text
        }
    }

    /// Stars that begin a word, as those of aliases do; comments left out.
    private static func aliasCount(_ text: String) -> Int {
        var count = 0
        for line in text.split(separator: "\n") where line.utf8.first(where: { $0 != 0x20 }) != UInt8(ascii: "#") {
            var previous = UInt8(ascii: " ")
            for byte in line.utf8 {
                if previous == UInt8(ascii: "*"), byte > 0x20 { count += 1 }
                let startsWord = [0x20, 0x09, 0x2c, 0x5b, 0x7b, 0x3a].contains(previous)
                previous = byte == UInt8(ascii: "*") && !startsWord ? 0x61 : byte
            }
        }
        return count
    }

    private static func error(_ error: YamlError, _ path: String) -> SettingsError {
        switch error {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            let text = [context?.text, problem].compactMap(\.self).joined(separator: ", ")
            return .malformedFile(path, line: mark.line, problem: text)
        case .duplicatedKeysInMapping(let duplicates, let context):
            let names = duplicates.map { String($0.prefix(40)) }.sorted().joined(separator: ", ")
            return .malformedFile(path, line: context.mark.line, problem: "\(names) is given twice")
        case .reader(let problem, _, _, _): return .malformedFile(path, line: nil, problem: problem)
        default: return .malformedFile(path, line: nil, problem: "it cannot be read")
        }
    }
}

extension Node {
    /// What YAML takes for nothing: `~`, `null`, or no value at all.
    fileprivate var isEmptyScalar: Bool {
        guard case .scalar(let scalar) = self, scalar.style == .plain || scalar.style == .any else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(scalar.string)
    }

    fileprivate var shape: String {
        switch self {
        case .scalar: "one value"
        case .mapping: "a block of keys"
        case .sequence: "a list"
        case .alias: "an alias"
        }
    }
}
