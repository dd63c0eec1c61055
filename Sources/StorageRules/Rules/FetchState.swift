// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// The history of one source's fetches. Times are in Unix milliseconds, 0 for never.
struct FetchState {
    /// The part that the list of sources shows. Its outcome is that of the last fetch, with the ETag and the counts of
    /// the last success.
    var listed: WireSourceState
    /// Milliseconds after the last attempt during which nobody else may fetch; 0 if the lease was given back.
    var lease: UInt64 = 0
    /// The URL and format of the last success, to which the ETag belongs.
    var successURL = ""
    var successFormat = ""
}
