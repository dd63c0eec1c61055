// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestProcess

extension TestServer {
    var log: String { directory + "/log" }
    var logged: String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }

    func makeFiles() throws {
        let passwords = directory + "/password"
        try Data(Self.password.utf8).write(to: URL(fileURLWithPath: passwords))
        if geteuid() == 0, let owner = Installation.owner {
            for path in [directory, passwords] { chown(path, owner.uid, owner.gid) }
        }
        let arguments = [
            "-D", dataDirectory, "-U", Self.user, "--auth-local=trust", "--auth-host=scram-sha-256",
            "--pwfile=\(passwords)", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync",
        ]
        try finish(Installation.words("initdb", arguments + (options.hasChecksums ? ["--data-checksums"] : [])))
        guard options.hasTLS else { return }
        let certificate = [
            "req", "-new", "-x509", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-days", "2",
            "-subj", "/CN=localhost", "-keyout", "\(dataDirectory)/server.key", "-out", "\(dataDirectory)/server.crt",
        ]
        try finish(Installation.asOwner([Installation.openssl] + certificate))
    }

    /// Copies the primary's files for a standby, with the settings to follow it.
    func copyFiles(of primary: TestServer) throws {
        if geteuid() == 0, let owner = Installation.owner { chown(directory, owner.uid, owner.gid) }
        let arguments = [
            "-h", primary.directory, "-p", "\(primary.port)", "-U", Self.user, "-D", dataDirectory, "-R", "-X",
            "stream",
            "-c", "fast", "--no-sync",
        ]
        try finish(Installation.words("pg_basebackup", arguments))
    }

    /// Keeps a copy of the files of a server that is stopped.
    public func keepFiles() throws {
        try finish(Installation.asOwner(copying(dataDirectory, kept)))
    }

    /// Puts the kept copy back.
    public func putBackFiles() throws {
        try FileManager.default.removeItem(atPath: dataDirectory)
        try finish(Installation.asOwner(copying(kept, dataDirectory)))
    }

    private var kept: String { directory + "/kept" }

    private func copying(_ from: String, _ to: String) -> [String] { ["/bin/cp", "-a", from, to] }

    private func finish(_ words: [String]) throws {
        let (status, text) = try Child.run(words, within: .seconds(120))
        guard status == 0 else { throw TestServerError("the server's files cannot be made: \(text)") }
    }

    func removeFiles() { try? FileManager.default.removeItem(atPath: directory) }

    /// Whether the server lets clients in: the eighth line of this file says so, as pg_ctl reads it.
    func isReady(_ pid: pid_t) -> Bool {
        let text = (try? String(contentsOfFile: dataDirectory + "/postmaster.pid", encoding: .utf8)) ?? ""
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.count > 7 && pid_t(lines[0]) == pid && lines[7].hasPrefix("ready")
    }
}
