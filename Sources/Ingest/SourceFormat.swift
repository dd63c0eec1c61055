// SPDX-License-Identifier: Apache-2.0

import JSON

/// The format in which a source writes its landmarks. It converts bytes into drafts of landmarks, and rejections with a
/// reason. `all` lists the formats.
public struct SourceFormat: Sendable, Equatable {
    typealias Parser = @Sendable ([UInt8]) throws(SourceFormatError) -> SourceDocument
    typealias Reader = @Sendable (SourceDocument) throws(SourceFormatError) -> SourceRows

    /// The maximum number of values (texts, numbers, lists, objects, cells of a table) in one body. This limits the
    /// memory that the values take.
    public static let valueLimit = JSONReader.valueLimit

    /// The names that ``init(name:mapping:)`` accepts.
    public static let names = all.map(\.name) + ["mapping"]

    /// The format's name in a configuration: one of ``names``.
    public let name: String
    var allowsXML = false
    /// Parses the syntax of a body.
    var parse: Parser = SourceDocument.json
    /// Whether a document is in this format; asked by ``auto``.
    var isRecognised: @Sendable (SourceDocument) -> Bool = { _ in false }
    let read: Reader
    var mapping: FieldMapping?

    /// The format's part in the identity of a fetch, because the same body must be ingested again in another format.
    var identity: String { mapping?.description ?? name }

    /// Reads a whole body, packed with gzip, in a zip archive, or plain. The same body always gives the same rows with the same keys.
    ///
    /// - Parameters:
    ///   - body: the bytes. They are released before the rows are made, because both may be large.
    ///   - maxBytes: the maximum size of the body in bytes after unpacking.
    ///   - acceptsPartial: whether to read an answer that the server cut short. The rows missing from it do not count as
    ///     vanished.
    /// - Throws: an error about the whole body. Errors about single rows are in ``SourceRows/rejected``.
    public func rows(
        in body: consuming [UInt8], upTo maxBytes: Int = FetchLimits().maxBytes, acceptsPartial: Bool = false
    ) throws(SourceFormatError) -> SourceRows {
        if Preamble.isPacked(body) { body = try Gzip.unpack(body, limit: maxBytes) }
        if Preamble.isZip(body) { body = try ZipArchive(body).readableFile(limit: maxBytes) }
        do throws(JSONError) { try Preamble.check(body, allowsXML: allowsXML) } catch { throw .unreadable(error) }
        let document = try parse(consume body)
        let rows: SourceRows
        do throws(SourceFormatError) {
            rows = try read(document)
        } catch {
            // Some services answer with status 200 and an error instead of the list, or beside an empty list.
            if let message = Self.errorMessage(in: document.root) { throw .refused(message) }
            throw error
        }
        if rows.rows.isEmpty, rows.rejected.isEmpty, let message = Self.errorMessage(in: document.root) {
            throw .refused(message)
        }
        if let remark = rows.brokeOff, !acceptsPartial { throw .partial(remark) }
        return rows
    }

    private static func errorMessage(in root: JSONValue) -> String? {
        let values = ["error_message", "error", "remark", "errors"].lazy.compactMap { root[$0] }
        return values.compactMap { $0.text ?? $0["message"]?.text }.first?.shortened(to: 300)
    }

    public static func == (one: Self, other: Self) -> Bool { one.name == other.name && one.mapping == other.mapping }
}

extension SourceFormat {
    /// Finds the format with this name. Nil if the name is unknown, or if it is `mapping` but `mapping` is nil.
    public init?(name: String, mapping: FieldMapping? = nil) {
        let format = name == "mapping" ? mapping.map(Self.mapping) : Self.all.first { $0.name == name }
        guard let format else { return nil }
        self = format
    }
}
