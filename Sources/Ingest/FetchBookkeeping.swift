// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf
public import WaymarkProtocol

/// The requests around one fetch: storage gives the turn, and keeps how it went for `sources`.
public struct FetchBookkeeping: Sendable {
    public let source: String
    let location: SourceLocation
    let format: SourceFormat

    public init(source: String, location: SourceLocation, format: SourceFormat) {
        self.source = source
        self.location = location
        self.format = format
    }

    /// Asks for the turn.
    ///
    /// - Parameters:
    ///   - every: not before the last attempt is this long ago; zero: now.
    ///   - lease: the turn is free again after this time, should nobody give it back.
    public func begin(every: Duration = .zero, lease: Duration) -> WireRequest {
        .with {
            $0.beginFetch = .with {
                $0.source = source
                $0.url = "\(location)"
                $0.format = format.identity
                $0.everyMs = UInt64(max(0, every / .milliseconds(1)))
                $0.leaseMs = UInt64(max(0, lease / .milliseconds(1)))
            }
        }
    }

    /// Tells that rows were taken.
    ///
    /// - Parameters:
    ///   - validators: what the next conditional request is made of.
    ///   - format: the shape that the body was read as.
    public func ingested(_ report: IngestReport, validators: FetchValidators, format: String) -> WireRequest {
        end(
            .with {
                $0.result = .ingested
                $0.etag = validators.etag ?? ""
                $0.lastModified = validators.lastModified ?? ""
                $0.counts = report.counts
                $0.format = format.shortened(to: 500)
            })
    }

    public func notModified() -> WireRequest { end(.with { $0.result = .notModified }) }

    /// - Parameter reason: one sentence.
    public func failed(_ reason: String) -> WireRequest {
        end(
            .with {
                $0.result = .failed
                $0.error = reason
            })
    }

    private func end(_ outcome: WireFetchOutcome) -> WireRequest {
        .with {
            $0.endFetch = .with {
                $0.source = source
                $0.outcome = outcome
            }
        }
    }
}

extension SourceFormat {
    /// Another one means that the same body is read otherwise, so what was fetched before does not count.
    var identity: String {
        if case .mapping(let mapping) = self { return "\(mapping)" }
        return name
    }
}
