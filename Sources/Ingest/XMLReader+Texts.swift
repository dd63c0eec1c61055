// SPDX-License-Identifier: Apache-2.0

import Landmarks

extension XMLReader {
    /// Reads the rest of the element that has just begun, up to and including its end tag.
    ///
    /// - Parameter key: takes the names of the elements on the way to an inner element, which are empty for foreign
    ///   ones, and its own name and attributes; returns the key of its text, or nil if its text is not wanted.
    /// - Returns: the texts by their keys. If several elements have the same key, the first one that has text counts.
    mutating func texts(
        _ key: (_ path: [String], _ name: String, _ attributes: [String: String]) -> String?
    ) throws(SourceFormatError) -> [String: String] {
        let whole = depth
        var (texts, path, keys) = ([String: String](), [String](), [String?]())
        while depth >= whole, let piece = try next() {
            switch piece {
            case .start(let name, let attributes):
                path.append(isForeign ? "" : name)
                keys.append(key(path, name, attributes).flatMap { texts[$0] == nil ? $0 : nil })
            case .text(let text):
                // Blanks are not kept, so that they are looked through only once.
                guard let key = keys.last ?? nil, texts[key] != nil || !text.trimmed.isEmpty else { continue }
                texts[key, default: ""] += text
            case .end: _ = (path.popLast(), keys.popLast())
            }
        }
        return texts
    }
}

extension [String: String] {
    /// Returns the first of the texts with these keys that is not blank.
    func first(of keys: [String]) -> String? {
        keys.lazy.compactMap { self[$0] }.map { String($0.trimmed) }.first { !$0.isEmpty }
    }
}
