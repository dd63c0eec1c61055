// SPDX-License-Identifier: Apache-2.0

/// The name of a session in the list of keys, so that a person recognises it.
enum BrowserName {
    /// The order decides, because most browsers name others too.
    private static let browsers = [
        ("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("Chrome", "Chrome"), ("Safari", "Safari"),
        ("curl", "curl"),
    ]
    private static let systems = [
        ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"), ("Mac OS", "macOS"),
        ("CrOS", "ChromeOS"), ("Linux", "Linux"),
    ]

    /// - Parameter agent: the header `User-Agent`. The name takes only words of this file from it.
    static func of(_ agent: String?) -> String {
        let agent = (agent ?? "").prefix(512)
        func first(_ words: [(part: String, name: String)]) -> String? {
            words.first { agent.firstRange(of: $0.part) != nil }?.name
        }
        return [first(browsers) ?? "browser", first(systems)].compactMap { $0 }.joined(separator: " on ")
    }
}
