"""Receives webhooks of the gateway: SVC_WEBHOOK_SECRET=whsec_... PORT=8080 python3 receiver.py

It listens on this machine only. Behind a proxy with TLS, set HOST to another address.
"""

import base64
import hashlib
import hmac
import json
import os
import re
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ.get("SVC_WEBHOOK_SECRET", "")
if not re.fullmatch(r"whsec_[A-Za-z0-9+/]{32,}=*", SECRET):
    sys.exit("Set SVC_WEBHOOK_SECRET to the signing secret of the webhook, whsec_..., which its creation printed.")
KEY = base64.b64decode(SECRET.removeprefix("whsec_"))
HOST = os.environ.get("HOST", "127.0.0.1")
PORT = os.environ.get("PORT", "8080")
TOLERANCE_SECONDS = 300
seen = set()


def is_genuine(headers, body: bytes) -> bool:
    """Whether the gateway signed these exact bytes in the last minutes."""
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


try:
    server = ThreadingHTTPServer((HOST, int(PORT)), Receiver)
except (OSError, ValueError) as error:
    sys.exit(f"Cannot listen on {HOST}, port {PORT} ({error}). Set PORT or HOST to another value.")
print(f"listening on http://{HOST}:{server.server_port}", flush=True)
server.serve_forever()
