"""Web Push: messages encrypted for one browser (RFC 8291, aes128gcm), signed by this server (VAPID, RFC 8292)."""

from __future__ import annotations

import base64
import json
import secrets

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

CURVE = ec.SECP256R1()
RECORD_SIZE = 4096
VALID_SECONDS = 12 * 3600
PADDED = 512  # every message is padded to this length, so that its length reveals nothing


def encode64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def decode64(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def is_key_pair(p256dh: str, auth: str) -> bool:
    """Whether these can be the keys of a browser."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decode64(p256dh))
        return len(decode64(auth)) == 16
    except ValueError:
        return False


def encrypt(message: bytes, p256dh: str, auth: str) -> bytes:
    """A body that only the browser with these keys can read."""
    browser = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decode64(p256dh))
    own = ec.generate_private_key(CURVE)
    own_point, salt = _point(own.public_key()), secrets.token_bytes(16)
    shared = own.exchange(ec.ECDH(), browser)
    info = b"WebPush: info\x00" + _point(browser) + own_point
    secret = _derive(shared, decode64(auth), info, 32)
    key = _derive(secret, salt, b"Content-Encoding: aes128gcm\x00", 16)
    nonce = _derive(secret, salt, b"Content-Encoding: nonce\x00", 12)
    padded = message + b"\x02" + bytes(max(0, PADDED - len(message)))
    head = salt + RECORD_SIZE.to_bytes(4, "big") + bytes([len(own_point)]) + own_point
    return head + AESGCM(key).encrypt(nonce, padded, None)


def _derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=hashes.SHA256(), length=length, salt=salt, info=info).derive(secret)


class Vapid:
    """The key of the server, or of all servers on one database. It is made once and kept there."""

    def __init__(self, key: ec.EllipticCurvePrivateKey, subject: str) -> None:
        self._key, self._subject = key, subject

    @classmethod
    def load(cls, pem: bytes, subject: str) -> Vapid:
        key = serialization.load_pem_private_key(pem, None)
        assert isinstance(key, ec.EllipticCurvePrivateKey)
        return cls(key, subject)

    @property
    def public_key(self) -> str:
        """The public key in the format of a browser's subscription."""
        return encode64(_point(self._key.public_key()))

    def authorization(self, origin: str, now: float) -> str:
        """The header that proves to a push service who sends."""
        head = encode64(json.dumps({"typ": "JWT", "alg": "ES256"}).encode())
        claims = {"aud": origin, "exp": int(now) + VALID_SECONDS, "sub": self._subject}
        signed = f"{head}.{encode64(json.dumps(claims).encode())}"
        r, s = decode_dss_signature(self._key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
        signature = encode64(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
        return f"vapid t={signed}.{signature}, k={self.public_key}"


def new_key() -> bytes:
    """As `Vapid.load` takes it."""
    key = ec.generate_private_key(CURVE)
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
