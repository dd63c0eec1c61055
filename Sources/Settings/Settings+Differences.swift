// SPDX-License-Identifier: Apache-2.0

extension Settings {
    /// The keys whose values differ from those in `old`, sorted. Includes the keys of members that only one side has.
    public func differences(from old: Settings) -> [String] {
        let here = texts
        let there = old.texts
        return Set(here.keys).union(there.keys).filter { here[$0] != there[$0] }.sorted()
    }

    /// Every key with its text; the text is nil if the key is empty.
    private var texts: [String: String?] {
        var texts: [String: String?] = [:]
        for key in schema.keys { texts[key.name] = .some(optionalString(key.name)) }
        for group in schema.groups {
            for member in members(of: group.name) {
                for field in group.fields { texts[member.key(field.name)] = .some(member.optionalString(field.name)) }
            }
        }
        return texts
    }
}
