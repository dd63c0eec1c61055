// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// The history of one source's fetches. Times are Unix milliseconds; 0 means never.
struct FetchState {
    /// The fields that the list of sources shows. The outcome is that of the last fetch, but with the ETag and the
    /// counts of the last successful fetch.
    var listed: WireSourceState
    /// The milliseconds after the last attempt during which nobody else may fetch; 0 if the lease was given back.
    var lease: UInt64 = 0
    /// The URL and format of the last successful fetch, to which the ETag belongs.
    var successURL = ""
    var successFormat = ""
}
