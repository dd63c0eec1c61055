// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LoadTest
import ZeroMQ

/// Options for messages one way: topics, queues, and receivers that are slow or late.
struct BusStreamOptions: ParsableArguments {
    @Option(
        .quantity,
        "pub: spread the messages over so many topics, each a first frame. Example: --topics 1000. (default: none)")
    var topics: Int?

    @Option(
        .bytes,
        "pub: bytes of a topic, a number with leading zeros. Example: --topics 1000 --topic-size 32. (default: 16)")
    var topicSize: Int?

    @Option(
        .quantity,
        "pub: topics of each receiver, other ones for each. Example: --topics 1000 --subscribe 10. (default: all)")
    var subscribe: Int?

    @Option(
        .count, "push, pub, open loop: high-water mark of both ends. Example: --rate 20k --hwm 1000. (default: 100000)")
    var hwm: Int?

    @Option(
        ValueForm<BusStreamTest.Slow>(word: "count:share", read: BusStreamOptions.slow),
        "pub, open loop: first receivers take at most this share of all. Example: --clients 3 --rate 20k --slow 1:50%.")
    var slow: BusStreamTest.Slow?

    @Option(
        .seconds,
        "pub: the last receiver connects this long after the warm-up. Example: --clients 2 --rate 1k --join-at 5s.")
    var joinAt: Double?

    func validate() throws {
        try refuse(
            if: topics == nil && (topicSize != nil || subscribe != nil),
            "--topic-size and --subscribe are about topics: give --topics.")
        try refuse(if: (topics ?? 1) > TopicPlan.most, "--topics is at most \(TopicPlan.most).")
        try refuse(if: (subscribe ?? 1) > (topics ?? 1), "--subscribe is at most the number of --topics.")
        let digits = "\((topics ?? 1) - 1)".count
        try refuse(
            if: !(digits...TopicPlan.longest).contains(topicSize ?? 16),
            "--topic-size is from \(digits), the digits of the last topic, to \(TopicPlan.longest), beyond which libzmq "
                + "ignores subscriptions.")
    }

    /// Refuses options that mean nothing together with the others.
    ///
    /// - Parameter seesArrivals: whether the receivers are in this process.
    func validate(_ pattern: BusPattern, _ load: BenchShapeOptions, seesArrivals: Bool) throws {
        try refuse(
            if: pattern != .pub && (topics != nil || slow != nil || joinAt != nil),
            "--topics, --slow and --join-at are for pub: no other pattern has several receivers of one message.")
        try refuse(if: hwm != nil && pattern.isAnswered, "--hwm is for push and pub.")
        try refuse(
            if: (subscribe != nil || slow != nil || joinAt != nil) && !seesArrivals,
            "--subscribe, --slow and --join-at are about receivers in this process: give --receive too.")
        try refuse(
            if: hwm != nil && !load.isOpen,
            "--hwm is for an open loop: give --rate. In a closed loop --window is the high-water mark.")
        try refuse(if: slow != nil && !load.isOpen, "--slow is a share of an intended rate: give --rate.")
        try refuse(
            if: (slow?.count ?? 0) > load.clients - (joinAt == nil ? 0 : 1),
            "--slow is about more receivers than there are from the beginning: give more --clients.")
        if let joinAt {
            guard case .duration(let seconds) = load.shape().end, joinAt < seconds else {
                throw ValidationError("--join-at must come before the end: give a longer --duration, and no --count.")
            }
        }
    }

    /// Whether the plain libzmq of --raw cannot do the same.
    var isPlanned: Bool { topics != nil || slow != nil || joinAt != nil }

    func apply(to test: inout BusStreamTest) {
        test.topics = topics.map { TopicPlan(topics: $0, bytes: topicSize ?? 16, subscribed: subscribe) }
        if let hwm { test.openHighWaterMark = hwm }
        (test.slow, test.joinAt) = (slow, joinAt)
    }

    /// The options by which figures differ, for the report.
    var parameters: [String: String?] {
        [
            "topics": topics.map { "\($0)" }, "topic_bytes": topics.map { _ in "\(topicSize ?? 16)" },
            "subscribed": subscribe.map { "\($0)" }, "hwm": hwm.map { "\($0)" },
            "slow": slow.map { "\($0.count):\($0.share)" }, "join_at_s": joinAt.map { "\($0)" },
        ]
    }

    static func slow(_ text: String) throws -> BusStreamTest.Slow {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let count = Int(parts[0]), count > 0,
            let share = LoadQuantity.read(String(parts[1]), as: .fraction), (0.001...1).contains(share)
        else { throw BadValue("slow receivers are COUNT:SHARE of up to 100%, such as 1:50%.") }
        return BusStreamTest.Slow(count: count, share: share)
    }
}

/// Options for the security of the connections to a bus.
struct BusSecurityOptions: ParsableArguments {
    @Option(
        .file,
        "CURVE: a file with the server's public key. Example: --curve-server-key server.pub. (default: no encryption)")
    var curveServerKey: String?

    @Option(.file, "CURVE: a file with your own secret key. Example: --curve-key bench.key. (default: a new pair)")
    var curveKey: String?

    @Option(.text("name"), "PLAIN: the user's name. Example: --plain-user ann --plain-password ann.txt.")
    var plainUser: String?

    @Option(
        .file, "PLAIN: a file with the password on its first line. Example: --plain-user ann --plain-password ann.txt.")
    var plainPassword: String?

    /// The lengths of names and passwords that PLAIN can send, in bytes.
    private static let lengths = 1...255

    func validate() throws {
        try refuse(
            if: curveKey != nil && curveServerKey == nil,
            "--curve-key needs --curve-server-key: a client of CURVE knows its server's key.")
        try refuse(
            if: (plainUser == nil) != (plainPassword == nil),
            "--plain-user and --plain-password belong together: give both.")
        try refuse(
            if: plainUser != nil && curveServerKey != nil,
            "A connection has one kind of security: give CURVE's options or PLAIN's.")
        try refuse(
            if: plainUser.map { !Self.lengths.contains($0.utf8.count) } ?? false, "--plain-user has 1 to 255 bytes.")
    }

    var isGiven: Bool { curveServerKey != nil || plainUser != nil }

    func security() throws -> SocketSecurity? {
        if let curveServerKey {
            let server = try CurveKeyText.publicKey(curveServerKey)
            let own = try curveKey.map { try CurveKeyText.pair($0) }
            return .curveClient(serverKey: server, keys: try own ?? .generate())
        }
        guard let plainUser, let plainPassword else { return nil }
        let password = String(decoding: try PasswordOptions.firstLine(of: plainPassword), as: UTF8.self)
        guard Self.lengths.contains(password.utf8.count) else {
            throw Failure.usage("\(plainPassword) needs a password of 1 to 255 bytes on its first line.")
        }
        return .plainClient(username: plainUser, password: password)
    }
}
