// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ
internal import Glibc

extension SocketSecurity {
    /// `ZMQ_ZAP_ENFORCE_DOMAIN`. Debian's library has this option, but its header hides it as a draft.
    private static let zapEnforceDomain: Int32 = 93

    func apply(_ setter: OptionSetter) throws(ZeroMQError) {
        switch self {
        case .curveServer(let secretKey, let domain):
            try apply(domain, setter)
            try setter.set(ZMQ_CURVE_SERVER, 1, "ZMQ_CURVE_SERVER")
            try setter.set(ZMQ_CURVE_SECRETKEY, secretKey.bytes, "ZMQ_CURVE_SECRETKEY")
        case .curveClient(let serverKey, let keys):
            try setter.set(ZMQ_CURVE_SERVERKEY, serverKey.bytes, "ZMQ_CURVE_SERVERKEY")
            try setter.set(ZMQ_CURVE_PUBLICKEY, keys.publicKey.bytes, "ZMQ_CURVE_PUBLICKEY")
            try setter.set(ZMQ_CURVE_SECRETKEY, keys.secretKey.bytes, "ZMQ_CURVE_SECRETKEY")
        case .plainServer(let domain):
            try apply(domain, setter)
            try setter.set(ZMQ_PLAIN_SERVER, 1, "ZMQ_PLAIN_SERVER")
        case .plainClient(let username, let password):
            try setter.set(ZMQ_PLAIN_USERNAME, Array(username.utf8), "ZMQ_PLAIN_USERNAME")
            try setter.set(ZMQ_PLAIN_PASSWORD, Array(password.utf8), "ZMQ_PLAIN_PASSWORD")
        case .nullServer(let domain):
            try apply(domain, setter)
        }
    }

    private func apply(_ domain: String, _ setter: OptionSetter) throws(ZeroMQError) {
        // libzmq takes an empty domain to mean "no authentication", even with option 93. With PLAIN it ends the
        // process.
        guard !domain.isEmpty else { throw ZeroMQError("ZMQ_ZAP_DOMAIN", errno: EINVAL) }
        try setter.set(ZMQ_ZAP_DOMAIN, Array(domain.utf8), "ZMQ_ZAP_DOMAIN")
        try setter.set(Self.zapEnforceDomain, 1, "ZMQ_ZAP_ENFORCE_DOMAIN")
    }
}
