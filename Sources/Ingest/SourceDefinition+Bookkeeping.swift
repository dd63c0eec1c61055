// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf
import WaymarkProtocol

/// The requests before and after a fetch. Storage grants the lease to fetch, and keeps the outcome for `sources`.
extension SourceDefinition {
    /// Makes the request for a lease to fetch the source.
    ///
    /// - Parameters:
    ///   - every: the minimum time since the last attempt; zero to fetch now.
    ///   - lease: the time after which the lease lapses if it was not returned.
    package func begin(every: Duration = .zero, lease: Duration) -> WireRequest {
        .with {
            $0.beginFetch = .with {
                $0.source = name
                $0.url = "\(location)"
                $0.format = format.identity
                $0.everyMs = UInt64(max(0, every / .milliseconds(1)))
                $0.leaseMs = UInt64(max(0, lease / .milliseconds(1)))
            }
        }
    }

    /// Makes the request that reports a successful ingest and returns the lease.
    ///
    /// - Parameters:
    ///   - validators: the validators for the next conditional request.
    ///   - format: the format in which the body was read.
    package func ingested(_ report: IngestReport, validators: FetchValidators, format: String) -> WireRequest {
        end(
            .with {
                $0.result = .ingested
                $0.etag = validators.etag ?? ""
                $0.lastModified = validators.lastModified ?? ""
                $0.counts = report.counts
                $0.format = format.shortened(to: 500)
            })
    }

    package func notModified() -> WireRequest { end(.with { $0.result = .notModified }) }

    /// - Parameter reason: the reason in one sentence.
    package func failed(_ reason: String) -> WireRequest {
        end(
            .with {
                $0.result = .failed
                $0.error = reason.shortened(to: 2_000)
            })
    }

    private func end(_ outcome: WireFetchOutcome) -> WireRequest {
        .with {
            $0.endFetch = .with {
                $0.source = name
                $0.outcome = outcome
            }
        }
    }
}
