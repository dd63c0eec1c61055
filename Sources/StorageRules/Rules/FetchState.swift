// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// The history of one source's fetches. Times are in Unix milliseconds, 0 for never.
struct FetchState {
    /// What the list of sources has of it. The outcome is the last one, with the ETag and the counts of the last
    /// success.
    var listed: WireSourceState
    /// Milliseconds after the last attempt in which nobody else may fetch; 0 if the turn was given back.
    var lease: UInt64 = 0
    /// The URL and format to which that ETag belongs.
    var successURL = ""
    var successFormat = ""
}
