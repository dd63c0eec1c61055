// SPDX-License-Identifier: Apache-2.0

import JSON

/// The format in which a source writes its landmarks. It turns bytes into drafts, and rejections with a reason. `all`
/// is the table.
public struct SourceFormat: Sendable, Hashable {
    typealias Parser = @Sendable ([UInt8]) throws(SourceFormatError) -> SourceDocument
    typealias Reader = @Sendable (SourceDocument, ReadingOptions) throws(SourceFormatError) -> SourceRows

    /// The most values (texts, numbers, lists, objects, cells of a table) in one body. This bounds the memory that they
    /// take.
    public static let valueLimit = JSONReader.valueLimit

    /// The names that ``init(name:mapping:)`` understands.
    public static let names = all.map(\.name) + ["mapping"]

    /// The name in the configuration: one of ``names``.
    public let name: String
    var allowsXML = false
    /// Parses the syntax.
    var parse: Parser = SourceDocument.json
    /// Whether ``auto`` reads a document in this format.
    var isRecognised: @Sendable (SourceDocument) -> Bool = { _ in false }
    let read: Reader
    var mapping: FieldMapping?

    /// The format's part in the identity of a fetch: the same body in another format must be ingested again.
    var identity: String { mapping?.description ?? name }

    /// Reads a whole body, whether it is packed with gzip or not. The same body gives the same rows with the same keys.
    ///
    /// - Parameter body: the bytes, released before the rows are made, because both are large.
    /// - Throws: an error about the body as a whole. Errors about single rows are in ``SourceRows/rejected``.
    public func rows(
        in body: consuming [UInt8], _ options: ReadingOptions = ReadingOptions()
    ) throws(SourceFormatError) -> SourceRows {
        if Preamble.isPacked(body) { body = try Gzip.unpack(body, limit: options.maxBytes) }
        do throws(JSONError) { try Preamble.check(body, allowsXML: allowsXML) } catch { throw .unreadable(error) }
        let document = try parse(consume body)
        let rows: SourceRows
        do throws(SourceFormatError) {
            rows = try read(document, options)
        } catch {
            if case .partial = error { throw error }
            // Some services answer 200 with an error in place of the list, or beside an empty one.
            if let message = Self.errorMessage(in: document.root) { throw .refused(message) }
            throw error
        }
        if rows.rows.isEmpty, rows.rejected.isEmpty, let message = Self.errorMessage(in: document.root) {
            throw .refused(message)
        }
        return rows
    }

    private static func errorMessage(in root: JSONValue) -> String? {
        for name in ["error_message", "error", "remark", "errors"] {
            guard let value = root[name] else { continue }
            if let message = value.text ?? value["message"]?.text { return message.shortened(to: 300) }
        }
        return nil
    }

    public static func == (one: Self, other: Self) -> Bool { one.name == other.name && one.mapping == other.mapping }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(mapping)
    }
}

extension SourceFormat {
    /// The format with this name; nil for an unknown name, and for `mapping` without its fields.
    public init?(name: String, mapping: FieldMapping? = nil) {
        let format = name == "mapping" ? mapping.map(Self.mapping) : Self.all.first { $0.name == name }
        guard let format else { return nil }
        self = format
    }
}
