"""Takes webhooks of the gateway: SVC_WEBHOOK_SECRET=whsec_... PORT=8080 python3 receiver.py"""

import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = base64.b64decode(os.environ["SVC_WEBHOOK_SECRET"].removeprefix("whsec_"))
TOLERANCE_SECONDS = 300
seen = set()


def is_genuine(headers, body: bytes) -> bool:
    """Whether the very bytes of a body come from the gateway, and just now."""
    event_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    signed = f"{event_id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(signature.encode(), expected.encode()) for signature in given)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        genuine = is_genuine(self.headers, body)
        if genuine:
            event = json.loads(body)
            # An event may come twice: keep the ids where you keep what you do about them.
            if event["id"] not in seen:
                print(event["id"], event["type"], flush=True)
            seen.add(event["id"])
        self.send_response(204 if genuine else 401)
        self.end_headers()

    def log_message(self, *args):
        pass


server = ThreadingHTTPServer(("", int(os.environ.get("PORT", 8080))), Receiver)
print("listening on", server.server_port, flush=True)
server.serve_forever()
