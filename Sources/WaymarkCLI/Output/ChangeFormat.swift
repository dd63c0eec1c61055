// SPDX-License-Identifier: Apache-2.0

enum ChangeFormat: Hashable, Sendable {
    case text, json
    case template(ChangeTemplate)

    /// - Throws: ``BadValue`` if the text is neither the name of a format nor a valid template.
    init(_ text: String) throws {
        switch text {
        case "text": self = .text
        case "json": self = .json
        default:
            guard let template = text.wholeMatch(of: /template=(.+)/.dotMatchesNewlines()) else {
                throw BadValue("it is text, json or template=…, such as template='{rev} {op} {name}'.")
            }
            self = .template(try ChangeTemplate(String(template.1)))
        }
    }
}
