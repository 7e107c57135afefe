"""Receives the callbacks that the proxy forwards to ROUTESLIP_FORWARD_URL, as a WSGI application without dependencies.

In Flask or Django, call verified_payload() with the raw body and the headers, and turn off the CSRF check of this path.
"""

import base64
import hashlib
import hmac
import json
import os
import time


def signing_keys(secrets):
    """Returns the keys in the secrets. Skips those that are empty or too short: anyone can sign with an empty key."""
    for secret in secrets.split(","):
        try:
            key = base64.b64decode(secret.strip().partition("whsec_")[2], validate=True)
        except ValueError:
            continue
        if len(key) >= 24:
            yield key


def verified_payload(body, webhook_id, timestamp, signatures, secrets):
    """Returns the payload if one of the secrets signed it in the last five minutes; None otherwise."""
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return None
    for key in signing_keys(secrets):
        digest = hmac.digest(key, f"{webhook_id}.{timestamp}.".encode() + body, hashlib.sha256)
        expected = b"v1," + base64.b64encode(digest)
        if any(hmac.compare_digest(expected, signature.encode()) for signature in signatures.split(" ")):
            return json.loads(body)
    return None


def application(environ, start_response):
    payload = verified_payload(
        environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0)),
        environ.get("HTTP_WEBHOOK_ID", ""),
        environ.get("HTTP_WEBHOOK_TIMESTAMP", ""),
        environ.get("HTTP_WEBHOOK_SIGNATURE", ""),
        os.environ["ROUTESLIP_FORWARD_SECRET"],
    )
    if payload is None:
        start_response("401 Unauthorized", [])
        return []
    # A callback may come twice, always with the same id. In one transaction: insert the id into a table with a unique
    # key, and make the change. If the insert finds the id, change nothing.
    start_response("204 No Content", [])
    return []
