# SPDX-License-Identifier: Apache-2.0
"""receiver.py PORT FILE SECRET notes what hooks send. At paths with "rough", one answer in five is 500 or none."""
import base64, hashlib, hmac, http.server, json, os, random, sys, time

port, notes = int(sys.argv[1]), os.open(sys.argv[2], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
secret = base64.b64decode(sys.argv[3].removeprefix("whsec_"))

class Receiver(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        message, sent = self.headers["webhook-id"], self.headers["webhook-timestamp"]
        mac = base64.b64encode(hmac.digest(secret, f"{message}.{sent}.".encode() + body, hashlib.sha256)).decode()
        signed = "v1," + mac in self.headers["webhook-signature"].split() and abs(time.time() - int(sent)) < 60
        answer = random.choice([500, 0]) if "rough" in self.path and random.random() < 0.2 else 204
        note = {"path": self.path, "message": message, "signed": signed, "answer": answer, "at": time.time(),
                "type": self.headers["content-type"], "body": json.loads(body)}
        # One write, so that a note is in the file as a whole or not at all. Only then is the message answered.
        os.write(notes, json.dumps(note).encode() + b"\n")
        if answer == 0:
            time.sleep(5)
            self.close_connection = True
            return
        self.send_response(answer)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *words):
        pass

http.server.ThreadingHTTPServer(("127.0.0.1", port), Receiver).serve_forever()
