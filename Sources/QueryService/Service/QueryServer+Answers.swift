// SPDX-License-Identifier: Apache-2.0

import ServiceHost
import WaymarkProtocol
internal import WaymarkTransport

extension QueryServer {
    func answer(_ address: ReplyAddress, _ body: [UInt8]) {
        requestLog.end(address.key, RequestLog.result(of: body))
        do {
            try server?.answer(address, standing, body)
        } catch {
            logger.error("cannot answer", metadata: ["error": "\(error)", "request": "\(address.key.text)"])
        }
    }

    func answer(_ address: ReplyAddress, _ answer: SlowAnswer) {
        switch answer {
        case .hits(let reply): self.answer(address, reply)
        case .encoded(let body): self.answer(address, body)
        }
    }

    func answer(_ address: ReplyAddress, _ reply: HitsReply) {
        requestLog.end(address.key, "ok")
        do {
            try server?.answer(address, standing, byteCount: reply.byteCount) { reply.write(to: $0) }
        } catch {
            logger.error("cannot answer", metadata: ["error": "\(error)", "request": "\(address.key.text)"])
        }
    }

    func refuse(_ address: ReplyAddress, _ error: ServiceError) {
        requestLog.end(address.key, error.code.name)
        do {
            try server?.refuse(address, standing, error)
        } catch {
            logger.error("cannot answer", metadata: ["error": "\(error)", "request": "\(address.key.text)"])
        }
    }

    private var standing: ReplyHeader {
        ReplyHeader(position: replica?.position, ageMs: UInt32(clamping: age), storageAway: isStorageAway)
    }
}
