// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// PostgreSQL's programs: where they are, and who may run them.
public enum Installation {
    /// Debian's folder of the newest version; nil where it is not installed.
    public static let folder: String? = {
        let root = "/usr/lib/postgresql"
        let releases = ((try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []).compactMap { Int($0) }
        let folders = releases.sorted(by: >).map { "\(root)/\($0)/bin" }
        return folders.first { FileManager.default.isExecutableFile(atPath: "\($0)/postgres") }
    }()

    /// Whether to run the tests over PostgreSQL. Its servers would disturb the tests that measure times, so they run
    /// only on request.
    public static var isWanted: Bool {
        ProcessInfo.processInfo.environment["WAYMARK_POSTGRESQL_TESTS"] != nil && folder != nil
            && (geteuid() != 0 || owner != nil)
    }

    static let missing = "needs PostgreSQL (Debian: postgresql-15), and WAYMARK_POSTGRESQL_TESTS=1"

    static let openssl = "/usr/bin/openssl"

    /// Whether a server can have a certificate.
    public static var canMakeCertificates: Bool { FileManager.default.isExecutableFile(atPath: openssl) }

    /// PostgreSQL refuses to run as root. Debian's package creates this user.
    private static let user = "postgres"

    static var owner: (uid: uid_t, gid: gid_t)? {
        var (entry, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
        var buffer = [CChar](repeating: 0, count: 16_384)
        guard getpwnam_r(user, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return nil }
        return (entry.pw_uid, entry.pw_gid)
    }

    /// The words that start one of PostgreSQL's programs as a user who may run it.
    static func words(_ program: String, _ arguments: [String]) throws -> [String] {
        guard let folder else { throw TestServerError(missing) }
        return asOwner(["\(folder)/\(program)"] + arguments)
    }

    static func asOwner(_ words: [String]) -> [String] {
        guard geteuid() == 0 else { return words }
        return ["/usr/bin/setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups", "--inh-caps=-all"] + words
    }
}
