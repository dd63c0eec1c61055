// SPDX-License-Identifier: Apache-2.0

import Landmarks
import WaymarkProtocol

/// The errors with which storage refuses a command. Each is one sentence that says what to do.
package enum Refusal {
    static let noLandmark = EngineError.notFound.serviceError
    static let noNote = ServiceError(.notFound, "There is no note with this id.")
    static let forgotten = ServiceError(
        .forgotten,
        "This request may have been done: its answer is no longer remembered. Look before you do it again.")
    static let unexpected = ServiceError(.internal, "The request could not be done; nothing of it was.")

    static func version(_ current: UInt64) -> ServiceError {
        ServiceError(
            .versionMismatch, "The landmark has version \(current) by now: read it again, then decide.",
            version: current)
    }

    static func tooLarge(_ bytes: Int) -> ServiceError {
        ServiceError(
            .tooLarge,
            "With all its notes the landmark would take \(bytes) bytes, and \(LandmarkRules.grownBytes) is the most: "
                + "remove a note first.")
    }

    package static func noAccount(_ name: String) -> ServiceError {
        ServiceError(.notFound, "There is no account \(name).")
    }

    static func endedAccount(_ name: String) -> ServiceError {
        ServiceError(.notFound, "The account \(name) has ended: make another one.")
    }

    static func nameTaken(_ name: String) -> ServiceError {
        ServiceError(.invalid, "There is an account \(name) already, or was: choose another name.")
    }

    static let lastAdmin = ServiceError(.invalid, "This is the last administrator: make another one first.")
    static let serviceRole = ServiceError(
        .invalid, "A service's account stays one, and has no invitation: make another account.")
    static let keyTaken = ServiceError(.invalid, "This key was used before: make a new one.")
    static let tooManyKeys = ServiceError(
        .tooLarge, "An account has at most \(AccountRules.mostKeys) keys: end one of them first.")
    static let noKey = ServiceError(.notFound, "You have no such key.")
    package static let wrongPassword = ServiceError(.wrongPassword, "The name and the password do not belong together.")
    package static let wrongCode = ServiceError(
        .wrongPassword, "This invitation is none for that name, or was used, or is too old: ask for another.")

    static func notTheirs(_ owner: String) -> ServiceError {
        ServiceError(.denied, "The note is \(owner)'s: nobody else may change or remove it.")
    }

    static func noFetch(of source: String) -> ServiceError {
        ServiceError(.notFound, "No fetch of \(source) was begun.")
    }

    /// - Throws: ``ErrorCode/invalid`` unless the name may be recorded as the author of a change.
    package static func user(_ name: String) throws(ServiceError) -> String {
        try ServiceError.of { () throws(InvalidInput) in try LandmarkRules.user(name) }
    }
}
