// SPDX-License-Identifier: Apache-2.0

import Landmarks
import WaymarkProtocol

/// The errors with which storage refuses a command. Each is one sentence that says what to do.
package enum Refusal {
    static let noLandmark = EngineError.notFound.serviceError
    static let noRemoval = ServiceError(
        .notFound,
        "The log of changes knows no removal of such a landmark: check the id, or add the landmark anew if it was "
            + "removed too long ago.")
    static let noNote = ServiceError(.notFound, "There is no note with this id.")
    static let forgotten = ServiceError(
        .forgotten,
        "This request may have been done: its answer is no longer remembered. Look before you do it again.")
    static let unexpected = ServiceError(
        .internal, "The request failed within storage and changed nothing: see storage's log.")

    static func version(_ current: UInt64) -> ServiceError {
        ServiceError(
            .versionMismatch, "The landmark has version \(current) by now: read it again, then decide.",
            version: current)
    }

    static func rowTaken(_ source: SourceKey) -> ServiceError {
        ServiceError(
            .invalid,
            "The source \(source.name) has another landmark in this one's place by now: remove that one first.")
    }

    static func tooLarge(_ bytes: Int) -> ServiceError {
        ServiceError(
            .tooLarge,
            "The landmark would take \(bytes) bytes with all its notes, and may take \(LandmarkRules.grownBytes): "
                + "remove a note first.")
    }

    package static func noAccount(_ name: String) -> ServiceError {
        ServiceError(.notFound, "There is no account \(name).")
    }

    static func endedAccount(_ name: String) -> ServiceError {
        ServiceError(.notFound, "The account \(name) has ended: make another one.")
    }

    package static func nameTaken(_ name: String) -> ServiceError {
        ServiceError(.invalid, "The name \(name) belongs or belonged to an account: choose another name.")
    }

    package static let signUpClosed = ServiceError(
        .denied, "Nobody can make an account here without an invitation: ask an administrator for one.")
    static let lastAdmin = ServiceError(.invalid, "This is the last administrator: make another one first.")
    static let serviceRole = ServiceError(
        .invalid, "A service's account keeps its role and has no invitation: make another account.")
    static let keyTaken = ServiceError(.invalid, "This key was used before: make a new one.")
    static let noKey = ServiceError(.notFound, "You have no such key: \"waymark keys list\" shows yours.")
    package static let wrongPassword = ServiceError(.wrongPassword, "The name or the password is wrong: try again.")
    package static let wrongCode = ServiceError(
        .wrongPassword, "This invitation is for another name, was used, or is too old: ask for another.")

    static func notTheirs(_ owner: String) -> ServiceError {
        ServiceError(.denied, "The note is \(owner)'s: nobody else may change or remove it.")
    }

    static func noFence(_ name: String) -> ServiceError {
        ServiceError(.notFound, "There is no fence \(name): \"waymark fence list\" shows those that there are.")
    }

    /// - Parameter whose: the beginning of the sentence: "There are", "An account has".
    static func tooMany(_ most: Int, _ things: String, _ whose: String, _ remedy: String = "remove") -> ServiceError {
        ServiceError(.tooLarge, "\(whose) at most \(most) \(things): \(remedy) one of them first.")
    }

    package static func noHook(_ name: String) -> ServiceError {
        ServiceError(.notFound, "You have no hook \(name), or several accounts have one: \"#12\" means number 12.")
    }

    static func hookTaken(_ name: String) -> ServiceError {
        ServiceError(.invalid, "You have a hook \(name) already: remove that one, or choose another name.")
    }

    static func futureHook(_ head: UInt64) -> ServiceError {
        ServiceError(.invalid, "There is no such revision: name one from 1 to \(head), the newest.")
    }

    static func restingHook(_ name: String) -> ServiceError {
        ServiceError(.invalid, "The hook \(name) is paused or has stopped, and sends nothing: resume it first.")
    }

    static func fullHook(_ name: String) -> ServiceError {
        ServiceError(.tooLarge, "The hook \(name) keeps too many failed messages: redeliver some of them first.")
    }

    static let noGrant = ServiceError(
        .notFound, "You have no such link or phone: \"waymark share list\" and \"waymark keys list\" show yours.")
    package static let grantEnded = ServiceError(
        .keyEnded, "This link or phone's key is unknown or has ended: ask for a new one.")
    static let end = ServiceError(.invalid, "The end must be in the future, at most ten years from now.")
    static let futureMove = ServiceError(
        .invalid, "The time of the move is more than a day in the future: correct the clock.")
    static let notTheirTrack = ServiceError(.denied, "Only the owner of a landmark may erase its track.")

    static func noFetch(of source: String) -> ServiceError {
        ServiceError(.notFound, "No fetch of \(source) was begun: begin one first.")
    }

    /// - Throws: ``ErrorCode/invalid`` unless the name may be recorded as the author of a change.
    package static func user(_ name: String) throws(ServiceError) -> String {
        try ServiceError.of { () throws(InvalidInput) in try LandmarkRules.user(name) }
    }
}
