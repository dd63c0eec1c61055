// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// Names of sources, as they are typed.
enum SourceCommand {
    /// - Throws: with the names that there are.
    static func find(_ name: String, in sources: [WireSourceState]) throws(Failure) -> WireSourceState {
        if let source = sources.first(where: { $0.source == name }) { return source }
        let names = sources.prefix(20).map(\.source).joined(separator: ", ")
        throw Failure(
            .failed, ErrorCode.notFound.name,
            names.isEmpty
                ? "No source is known yet: ingest one first." : "There is no source \(name): there are \(names).")
    }
}
