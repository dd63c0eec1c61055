// SPDX-License-Identifier: Apache-2.0

public import ServiceHost
import WaymarkProtocol
internal import WaymarkTransport

extension QueryServer {
    /// Ready as soon as the replica has caught up with storage for the first time. From then on the service answers
    /// from its replica, however old that is, and reports the age.
    public func health() -> HealthReport {
        var report = HealthReport()
        if work.isRefusing { report.problems.append("The service is stopping.") }
        if let halted = state.halted { report.problems.append(halted.message) }
        if let problem = storageKeyProblem { report.problems.append(problem) }
        if let problem = doorProblem { report.problems.append(problem) }
        if !state.isServing {
            report.problems.append(notLoaded)
        } else if isStorageAway {
            report.remarks.append(
                "Storage at \(options.storageNames) does not answer: reads are answered from the replica, which is "
                    + "\(age) ms old, and writes are refused.")
        } else if state.isFeedLost {
            report.remarks.append("The feed of changes is silent: the replica is \(age) ms old.")
        }
        if let region = options.region {
            report.remarks.append(
                "This query service holds only \(region.name), and refuses what it cannot answer from that.")
        }
        if state.isServing, let relay, relay.relay.isSilent {
            report.remarks.append(
                "The relay is silent until storage's feed is followed again: its subscribers are told that it is away.")
        }
        if !options.elsewhere.isEmpty, elsewhere?.isConnected != true {
            report.remarks.append(
                "The query service at \(options.elsewhere.joined(separator: ", ")), which is asked what this one does not "
                    + "hold, does not answer: such questions are refused.")
        }
        if state.isServing, let trouble = loading?.trouble {
            report.remarks.append("The landmarks cannot be reloaded: \(trouble)")
        }
        return report
    }

    /// What keeps people with accounts from connecting.
    private var doorProblem: String? {
        guard let access = options.access else { return nil }
        if (access.handler ?? doors.ownHandler)?.isRunning == false {
            return "Nobody can connect any more: what decides about keys has ended. Start the service again."
        }
        if let trouble = doors.trouble { return "The accounts cannot be read: \(trouble)" }
        return accounts.book.isLoaded ? nil : "The accounts are not loaded yet."
    }

    /// What keeps this service from storage, where only a person can help. libzmq does not try again.
    var storageKeyProblem: String? {
        if let mismatch { return mismatch.message }
        guard options.access != nil, let storage, !storage.isConnected else { return nil }
        return switch storage.lastFailure {
        case .keyRefused:
            "Storage at \(options.storageNames) does not accept this service's key: give it the file of storage's "
                + "keys.service, or one of \"waymark-storage keys new FILE\", and start it again."
        case .otherKey:
            "What answers at \(options.storageNames) is not the storage that keys.service names: give this service the file "
                + "that this storage made, and start it again."
        default: nil
        }
    }

    /// Storage and this service do not agree whether there are accounts; nil: they do, as far as is known. Then nothing is
    /// answered, also from what was loaded before.
    var mismatch: ServiceError? {
        guard let storage, let failure = storage.lastFailure, !storage.isConnected else { return nil }
        let sentence: String
        switch failure {
        case .keysNeeded:
            sentence =
                "Storage at \(options.storageNames) requires accounts, and this service does not: set accounts: required "
                + "and keys.service here too, and start it again."
        case .noKeys:
            sentence =
                "This service requires accounts, and storage at \(options.storageNames) does not: set accounts: required "
                + "there too, and start both again."
        default: return nil
        }
        return ServiceError(.unavailable, sentence)
    }

    private var notLoaded: String {
        guard storage?.isConnected == true else {
            let cause = storage?.lastFailure.map { " (\($0))" } ?? ""
            let what = facts.epoch == nil ? "was never reached" : "does not answer"
            return "The landmarks are not loaded yet: storage at \(options.storageNames) \(what)\(cause). Start it, or "
                + "correct the setting storage; until then reads are refused."
        }
        if let trouble = load.progress.trouble { return "The landmarks are not loaded yet: \(trouble)" }
        guard load.progress.total > 0 else { return "The landmarks are not loaded yet." }
        return "The landmarks are not loaded yet: \(load.progress.landmarks) of \(load.progress.total) have been read."
    }
}
