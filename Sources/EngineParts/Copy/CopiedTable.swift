// SPDX-License-Identifier: Apache-2.0

/// A table that both engines have, with its columns in a fixed order.
package struct CopiedTable: Hashable, Sendable {
    /// The raw values are the letters in the list of tables.
    enum Kind: String, Sendable { case integer = "", real = "r", text = "t", blob = "b" }

    package struct Column: Hashable, Sendable {
        package var name: String
        var kind: Kind
    }

    package var name: String
    /// All columns. The first `keys` of them are the primary key.
    package var columns: [Column]
    var keys: Int
    /// Whether the database itself numbers new rows.
    package var isNumbered: Bool

    /// - Parameter columns: the names separated by spaces. The name of a column that is no integer is followed by a
    ///   colon and the first letter of the kind, such as `record:b`.
    private init(_ name: String, _ columns: String, keys: Int = 1, isNumbered: Bool = false) {
        self.name = name
        self.columns = columns.split(separator: " ").map { column in
            let parts = column.split(separator: ":").map(String.init)
            return Column(name: parts[0], kind: parts.count == 2 ? Kind(rawValue: parts[1]) ?? .integer : .integer)
        }
        (self.keys, self.isNumbered) = (keys, isNumbered)
    }

    /// All tables except `history` and `newest`, whose values are in ``CopiedHead``.
    package static let all: [CopiedTable] = [
        CopiedTable("runs", "id run_high run_low first", isNumbered: true),
        CopiedTable("landmarks", "key low record:b"),
        CopiedTable("notes", "key low landmark"),
        CopiedTable("changes", "rev previous landmarks at operation version user:t payload:b"),
        CopiedTable("removals", "key rev"),
        CopiedTable("answers", "id client_high client_low sequence digest_high digest_low reply:b"),
        CopiedTable("forgotten", "id client_high client_low sequence"),
        CopiedTable("source_rows", "source:t key:t landmark draft:b", keys: 2),
        CopiedTable(
            "fetches",
            "source:t url:t format:t attempted succeeded attempts failures lease outcome:b success_url:t success_format:t"
        ),
        CopiedTable("track_points", "landmark at rev lat:r lng:r written accuracy:r speed:r", keys: 2),
        CopiedTable(
            "accounts", "number name:t folded:t role password:t created ended revision", isNumbered: true),
        CopiedTable("account_keys", "key:b account label:t made expires ended revision kind reads"),
        CopiedTable("invitations", "account digest:b expires"),
        CopiedTable(
            "audit", "id at number account:t origin:t deed:t subject:t outcome:t shelf place", isNumbered: true),
        CopiedTable("owner_tasks", "id account claimed:t after", isNumbered: true),
        CopiedTable("fences", "id name:t account user:t filter:b created rev private", isNumbered: true),
        CopiedTable("hooks", "id account name:t record:b revision rev", isNumbered: true),
        CopiedTable("hook_failures", "number hook rev record:b due bytes", isNumbered: true),
        CopiedTable("grants", "digest:b kind account user:t landmark made expires record:b"),
        CopiedTable("expiries", "landmark at"),
    ]

    /// The names of the columns for SQL, quoted because `user` is a reserved word in PostgreSQL.
    var list: String { columns.map { "\"\($0.name)\"" }.joined(separator: ", ") }
    var keyList: String { columns.prefix(keys).map { "\"\($0.name)\"" }.joined(separator: ", ") }
}

extension StoredValue {
    /// Appends the value to the input of a digest, so that different values always give different bytes.
    package func add(to bytes: inout [UInt8]) {
        func append(_ tag: UInt8, _ number: UInt64) {
            bytes.append(tag)
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }
        switch self {
        case .integer(nil), .real(nil), .text(nil), .blob(nil): bytes.append(0)
        case .integer(let value?): append(1, UInt64(bitPattern: value))
        case .real(let value?): append(2, value.bitPattern)
        case .text(let value?):
            append(3, UInt64(value.utf8.count))
            bytes.append(contentsOf: value.utf8)
        case .blob(let value?):
            append(4, UInt64(value.count))
            bytes.append(contentsOf: value)
        }
    }
}
