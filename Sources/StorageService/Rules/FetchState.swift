// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// The history of one source's fetches. Times are in Unix milliseconds, 0 for never.
struct FetchState {
    var source: String
    var url = ""
    var format = ""
    var attempted: UInt64 = 0
    var succeeded: UInt64 = 0
    var attempts: UInt64 = 0
    var failures: UInt64 = 0
    /// Milliseconds after the last attempt in which nobody else may fetch; 0 if the turn was given back.
    var lease: UInt64 = 0
    /// The last outcome, with the ETag and the counts of the last success.
    var outcome = WireFetchOutcome()
    /// The URL and format to which that ETag belongs.
    var successURL = ""
    var successFormat = ""
}
