// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcess

/// OpenSSL's TLS server on 127.0.0.1, which serves the files of its folder, with a certificate of an authority that is
/// made for it.
public final class TLSServer: Sendable {
    public enum Problem: Error, CustomStringConvertible {
        case failed(String)

        public var description: String {
            switch self {
            case .failed(let what): "\(what): install the package openssl, which is needed for this test."
            }
        }
    }

    public let port: Int
    /// The authority's certificate, as a file.
    public var authority: String { folder + "/authority.pem" }
    private let folder: String
    private let server: Child

    /// - Parameters:
    ///   - name: the certificate's subject, as OpenSSL writes it: `IP:127.0.0.1`, `DNS:elsewhere.example`.
    ///   - answer: the contents of the file `answer`: a whole answer, with its head.
    public init(of name: String = "IP:127.0.0.1", answer: String) async throws {
        folder = FileManager.default.temporaryDirectory.path + "/tls-\(UUID())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        do {
            try Data(answer.utf8).write(to: URL(fileURLWithPath: folder + "/answer"))
            try Self.makeCertificates(of: name, in: folder)
            (server, port) = try await Self.serve(folder)
        } catch {
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
    }

    deinit {
        server.slay()
        try? FileManager.default.removeItem(atPath: folder)
    }

    public func url(host: String = "127.0.0.1") -> String { "https://\(host):\(port)/answer" }

    private static func makeCertificates(of name: String, in folder: String) throws {
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
        try openssl(
            [
                "req", "-x509", "-subj", "/CN=An authority of a test", "-keyout", "authority.key", "-out",
                "authority.pem",
            ]
                + key, in: folder)
        try openssl(
            [
                "req", "-x509", "-subj", "/CN=A server of a test", "-addext", "subjectAltName=\(name)",
                "-addext", "basicConstraints=critical,CA:FALSE", "-CA", "authority.pem", "-CAkey", "authority.key",
                "-keyout", "server.key", "-out", "server.pem",
            ] + key, in: folder)
    }

    private static func openssl(_ arguments: [String], in folder: String) throws {
        let ended = try Child.run(["openssl"] + arguments, directory: folder)
        guard ended.status == 0 else {
            throw Problem.failed("openssl \(arguments[0]) failed (\(ended.text.suffix(300)))")
        }
    }

    private static func serve(_ folder: String) async throws -> (Child, port: Int) {
        // With -HTTP the file has the head of the answer in it. Port 0 is any free port.
        let server = try Child(
            ["openssl", "s_server", "-HTTP", "-accept", "127.0.0.1:0", "-cert", "server.pem", "-key", "server.key"],
            directory: folder, output: .lines)
        do {
            // "ACCEPT 127.0.0.1:40837"
            let line = try await server.out.next { $0.hasPrefix("ACCEPT ") }
            guard let port = line.split(separator: ":").last.flatMap({ Int($0) }) else { throw Problem.failed(line) }
            return (server, port)
        } catch {
            server.slay()
            throw Problem.failed("openssl s_server does not listen (\(error); \(server.err.tail))")
        }
    }
}
