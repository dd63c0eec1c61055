// SPDX-License-Identifier: Apache-2.0

import Ingest

/// Adds the name of a helpful option to an error of an ingest. The library that throws the error does not know the
/// options of the CLI.
enum IngestFailure {
    static func explained(_ error: any Error) -> Failure {
        guard var failure = Failure(error) else { return .failed(String(describing: error)) }
        if let option = option(for: error) { failure.message += " \(option)" }
        return failure
    }

    static func allRejected(_ count: Int) -> Failure {
        Failure(
            "all_rejected",
            count == 1
                ? "The only row was rejected: nothing was ingested."
                : "All \(Figures.count(UInt64(count))) rows were rejected: nothing was ingested.")
    }

    static let unchanged = Failure(
        "fetch_failed",
        "The server answered that nothing has changed, although nothing was fetched before: try again.")

    private static func option(for error: any Error) -> String? {
        switch error {
        case let error as FetchError:
            switch error.reason {
            case .tooLarge(_, let announced?):
                "Allow it with --max-size \((announced + (1 << 20) - 1) >> 20), up to 4096."
            case .tooLarge(_, nil): "Allow more with --max-size, up to 4096."
            case .timedOut: "Allow more time with --fetch-timeout."
            default: nil
            }
        case let error as SourceFormatError:
            switch error {
            case .unpackedTooLarge: "Allow more with --max-size, up to 4096."
            case .partial: "Accept the incomplete answer with --accept-partial."
            case .noRows(_, _, let lists) where lists == [""]: "(Without --rows.)"
            case .noRows(_, _, let lists) where !lists.isEmpty: "Name the list with --rows \(lists[0])."
            case .unknownColumns:
                "Name them with --name-field, and --lat-field and --lng-field, or --wkt-field if one column has both numbers."
            default: nil
            }
        default: nil
        }
    }
}
