// SPDX-License-Identifier: Apache-2.0

/// Makes the name of a session in the list of keys from the browser's name, so that a person recognises the session.
enum BrowserName {
    /// The order matters, because most browsers also name others in this header.
    private static let browsers = [
        ("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("Chrome", "Chrome"), ("Safari", "Safari"),
        ("curl", "curl"),
    ]
    private static let systems = [
        ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"), ("Mac OS", "macOS"),
        ("CrOS", "ChromeOS"), ("Linux", "Linux"),
    ]

    /// - Parameter agent: the header `User-Agent`. The result contains only words from this file, never the header's
    ///   own.
    static func of(_ agent: String?) -> String {
        let agent = (agent ?? "").prefix(512)
        func first(_ words: [(part: String, name: String)]) -> String? {
            words.first { agent.firstRange(of: $0.part) != nil }?.name
        }
        return [first(browsers) ?? "browser", first(systems)].compactMap { $0 }.joined(separator: " on ")
    }
}
