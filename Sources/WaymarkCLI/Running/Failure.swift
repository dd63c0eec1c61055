// SPDX-License-Identifier: Apache-2.0

import Accounts
import Ingest
import LoadTest
import StorageOnSQLite
import WaymarkClient
import WaymarkJSON
import WaymarkLoad
import ZeroMQ

extension Optional {
    /// Returns the value; for nil throws the failure.
    func or(_ failure: @autoclosure () -> Failure) throws(Failure) -> Wrapped {
        guard let self else { throw failure() }
        return self
    }
}

/// The failure of a command: a code for programs, a sentence for people, and an exit status.
struct Failure: Error, Equatable, CustomStringConvertible {
    var status: ExitStatus
    /// The protocol's code (``ErrorCode/name``), or a code of the CLI itself.
    var code: String
    var message: String
    /// For `compacted` and `future_revision`: the oldest and the newest revision in the log.
    var kept: ClosedRange<UInt64>?
    /// For `version_mismatch`: the present version of the landmark.
    var version: UInt64?
    /// For `version_mismatch` of an edit: the fields that both the person and others have changed.
    var conflicts: [EditConflict] = []

    /// The text in a log line of `up`.
    var description: String { message }

    init(_ status: ExitStatus, _ code: String, _ message: String) {
        (self.status, self.code, self.message) = (status, code, message)
    }

    /// Makes a failure with the status ``ExitStatus/failed``, which most failures have.
    init(_ code: String, _ message: String) { self.init(.failed, code, message) }

    static func usage(_ message: String) -> Failure { Failure(.usage, "usage", message) }
    static func failed(_ message: String) -> Failure { Failure("failed", message) }

    func write(to writer: inout JSONWriter) {
        writer.object("error") {
            $0.field("code", code)
            $0.field("message", message)
            if let kept {
                $0.field("floor", kept.lowerBound)
                $0.field("head", kept.upperBound)
            }
            if let version { $0.field("version", version) }
            if !conflicts.isEmpty { $0.array("conflicts", conflicts) }
        }
    }

    /// Converts an error of any module of the program; nil for an unknown type of error.
    init?(_ error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case ClientError.refused(let refusal): self.init(service: refusal)
        case let error as ClientError: self.init(error.verdict.status, error.verdict.code, error.description)
        case let error as ServiceError: self.init(service: error)
        case let error as InvalidInput: self.init(.failed, ErrorCode.invalid.name, error.description)
        case is BadValue, is SourceLocationError: self = .usage("\(error)")
        case let error as SinkError:
            self.init(error == .readerGone ? .readerGone : .failed, "output", error.description)
        case let error as ZeroMQError:
            // An error about an endpoint is already a whole sentence.
            self.init(.failed, "bus", "\(error)".hasSuffix(".") ? "\(error)" : "ZeroMQ cannot be used: \(error).")
        case let error as TailTestError: self.init(.timedOut, "silent", error.description)
        case let error as BareDiskError: self.init(.failed, "disk", error.description)
        case let error as HTTPLoadError where error.isRefusal: self.init(.denied, "denied", error.description)
        case is HTTPLoadError, is BusPeerError: self.init(.cannotConnect, "cannot_connect", "\(error)")
        case let error as BusStreamError: self.init(.failed, "bus", error.description)
        case let error as FetchError: self.init(.failed, "fetch_failed", error.description)
        case let error as SourceFormatError: self.init(.failed, "format", error.description)
        case let error as KeyFileError: self.init(.failed, "key_file", error.description)
        case ConversionError.unknown: self.init(.failed, "unknown_currency", "\(error)")
        case ConversionError.tooLarge: self.init(.failed, "too_large", "\(error)")
        case let error as RestoreError: self.init(restore: error)
        default: return nil
        }
    }

    private init(restore error: RestoreError) {
        let code =
            switch error {
            case .unreadable: "unreadable"
            case .notWaymark: "not_waymark"
            case .newerSchema: "newer_schema"
            case .beforeFirstRelease: "before_first_release"
            case .damaged: "damaged"
            case .inUse: "in_use"
            case .exists: "exists"
            case .full: ErrorCode.storageFull.name
            case .io: "io"
            }
        self.init(.failed, code, error.description)
    }

    private init(service refusal: ServiceError) {
        self.init(ExitStatus(refusal.code), refusal.code.name, refusal.message)
        switch refusal.code {
        case .compacted, .futureRevision:
            guard refusal.floor <= refusal.head, refusal.head > 0 else { return }
            kept = refusal.floor...refusal.head
            message += " The log has revisions \(refusal.floor) to \(refusal.head)."
        case .versionMismatch where refusal.version > 0: version = refusal.version
        default: break
        }
    }
}
