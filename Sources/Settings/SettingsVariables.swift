// SPDX-License-Identifier: Apache-2.0

/// Reads the settings given as environment variables.
enum SettingsVariables {
    /// Reads the variables that begin with the schema's prefix. All other variables belong to other programs.
    static func read(
        _ environment: [String: String], _ schema: SettingsSchema
    ) throws(SettingsError) -> SettingsLayer {
        var layer = SettingsLayer()
        // Sort the variables, so that of several errors the same one is always reported.
        for (variable, text) in environment.sorted(by: { $0.key < $1.key }) {
            guard variable.hasPrefix(schema.variablePrefix) else { continue }
            let name = variable.dropFirst(schema.variablePrefix.count).lowercased().map { $0 == "_" ? "-" : $0 }
            guard let key = schema.key(hyphenated: String(name)), schema.variable(of: key.name) == variable else {
                let nearest = schema.nearest(to: String(name)).map { schema.variable(of: $0.name) }
                throw .unknownKey(.variable(variable), key: variable, nearest: nearest)
            }
            try layer.add(key, text, from: .variable(variable))
        }
        return layer
    }
}
