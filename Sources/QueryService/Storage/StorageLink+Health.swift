// SPDX-License-Identifier: Apache-2.0

import Logging
import WaymarkProtocol

extension StorageLink {
    /// A problem with keys that only a person can solve, because libzmq does not try to connect again; nil if there is
    /// none.
    var keyProblem: String? {
        guard let channel, !channel.isConnected else { return nil }
        return switch channel.lastFailure {
        case .keysNeeded:
            "Storage at \(options.storageNames) requires accounts, and this service does not: set accounts: required "
                + "and keys.service here too, and start it again."
        case .noKeys:
            "This service requires accounts, and storage at \(options.storageNames) does not: set accounts: required "
                + "there too, and start both again."
        case .keyRefused where options.access != nil:
            "Storage at \(options.storageNames) does not accept this service's key: give this service the file of "
                + "storage's keys.service, or one of \"waymark-storage keys new FILE\", and start it again."
        case .otherKey where options.access != nil:
            "Storage at \(options.storageNames) does not have the key that keys.service names: give this service the "
                + "file that this storage made, and start it again."
        default: nil
        }
    }

    /// The error with which all requests are refused while storage requires accounts and this service does not, or the
    /// reverse; nil if they agree or if that is unknown. Reads are refused too, although a replica could answer.
    var mismatch: ServiceError? {
        guard channel?.disagreement != nil, let keyProblem else { return nil }
        return ServiceError(.unavailable, keyProblem)
    }

    /// Logs once, at the start, that the service waits for storage. Other code logs that a connection is made.
    func tellIfMissing() {
        guard let channel, !channel.isConnected, state.epoch == nil, keyProblem == nil else { return }
        var metadata: Logger.Metadata = ["storage": "\(options.storageNames)"]
        if let failure = channel.lastFailure { metadata["cause"] = "\(failure)" }
        logger.warning(
            "waiting for storage, and refusing every read: start waymark-storage, or correct the setting storage",
            metadata: metadata)
    }
}
