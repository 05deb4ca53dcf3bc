"""Answers to what never becomes a request: in plain text, closing the connection."""

from __future__ import annotations

from http import HTTPStatus


def plain_answer(status: int, sentence: str, retry: bool = False) -> bytes:
    content = sentence.encode()
    lines = [
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}",
        "content-type: text/plain; charset=utf-8",
        f"content-length: {len(content)}",
        "connection: close",
        *(["retry-after: 5"] if retry else []),
        "",
        "",
    ]
    return "\r\n".join(lines).encode() + content
