// SPDX-License-Identifier: Apache-2.0

/// A statement that was prepared on a connection. It is valid as long as the connection is open.
public struct Statement: Sendable {
    struct Key: Hashable {
        let sql: SQLText
        let types: [ParameterType]
    }

    let key: Key
    /// The statement's name on the server.
    let name: String
    let effect: SQLText.Effect

    public var types: [ParameterType] { key.types }
}
