// SPDX-License-Identifier: Apache-2.0

/// Names as Prometheus allows them: `[a-zA-Z_:][a-zA-Z0-9_:]*`, and without the colons for labels.
enum PrometheusName {
    static func metric(_ name: String) -> String { legal(name, colons: true) }
    static func label(_ name: String) -> String { legal(name, colons: false) }

    private static func legal(_ name: String, colons: Bool) -> String {
        var result = ""
        for scalar in name.unicodeScalars.prefix(200) {
            switch scalar {
            case "a"..."z", "A"..."Z", "_": result.unicodeScalars.append(scalar)
            case ":" where colons: result.unicodeScalars.append(scalar)
            case "0"..."9":
                if result.isEmpty { result = "_" }
                result.unicodeScalars.append(scalar)
            default: result += "_"
            }
        }
        return result.isEmpty ? "_" : result
    }
}
