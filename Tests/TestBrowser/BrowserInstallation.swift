// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The browser of this machine: Debian's packages `chromium` and `chromium-driver`.
public enum BrowserInstallation {
    static let browser = find("chromium", "chromium-browser", "google-chrome")
    static let driver = find("chromedriver")

    /// The path of `axe.min.js`, which is not ours to copy: given, or that of `axe-playwright-python`.
    public static let axe: String? = {
        let environment = ProcessInfo.processInfo.environment
        if let path = environment["WAYMARK_AXE"] {
            return FileManager.default.isReadableFile(atPath: path) ? path : nil
        }
        let folders = ["/usr/lib/python3/dist-packages", "/usr/local/lib"]
        for folder in folders {
            let files = FileManager.default.enumerator(atPath: folder)
            while let file = files?.nextObject() as? String {
                if file.hasSuffix("axe_playwright_python/axe.min.js") { return "\(folder)/\(file)" }
            }
        }
        return nil
    }()

    public static var isWanted: Bool { ProcessInfo.processInfo.environment["WAYMARK_BROWSER_TESTS"] == "1" }

    private static func find(_ names: String...) -> String? {
        let path = (ProcessInfo.processInfo.environment["PATH"] ?? "") + ":/usr/bin:/usr/local/bin"
        return names.lazy.flatMap { name in path.split(separator: ":").map { "\($0)/\(name)" } }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}

extension Trait where Self == ConditionTrait {
    /// Starting a browser costs seconds for each test, so these tests run only on request.
    public static var inBrowser: Self {
        .enabled(
            if: BrowserInstallation.isWanted && BrowserInstallation.browser != nil && BrowserInstallation.driver != nil,
            "needs WAYMARK_BROWSER_TESTS=1 and the packages chromium and chromium-driver")
    }
}
