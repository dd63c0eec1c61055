// SPDX-License-Identifier: Apache-2.0

internal import WaymarkTransport
import ZeroMQ

/// The clients' requests that wait for something.
struct RequestsUnderWay {
    /// Wait until the replica reaches a revision.
    var parked = ParkedRequests()
    /// Refuses those that have waited too long.
    var parkTimer: LoopTimer?
    /// Wait for room among those that are forwarded.
    var queued = ForwardQueue()
    /// How many are in flight to storage.
    var forwarding = 0
    /// The connections of those that another query service was asked.
    var passed: [RequestKey: [UInt8]] = [:]
    /// Are answered from the replica in steps.
    var slow = SlowQuestions()
    /// Whether the loop will make the next step of the slow ones.
    var isProceeding = false
    /// How many answers are being assembled and wait for storage or for another step.
    var assembling = 0
    /// Whether the service is stopping and refuses new requests.
    var isRefusing = false

    /// The bytes of the requests that wait here.
    var bytes: Int { parked.bytes + queued.bytes }
}
