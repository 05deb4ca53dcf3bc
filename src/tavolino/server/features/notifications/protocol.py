"""Commands, bodies and answers about notifications."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from tavolino.server import protocol as p

MinuteOfDay = Annotated[int, Meta(ge=0, le=24 * 60 - 1)]


class SetWebhook(p.CommandMessage, tag="webhook"):
    """The host has a chat room told whose turn it is: Discord, Slack, or any address that the operator allows."""

    url: Annotated[str, Meta(max_length=1_000)] | None


class Notifications(p.Body):
    """Notifications when it is your turn and you are not there. `key` is for the browser's subscription."""

    key: str
    browsers: int  # how many of yours are notified
    quiet_from: int | None  # minutes after midnight, your time
    quiet_to: int | None


class AddBrowser(p.Body):
    """A browser's push subscription: where to send, and the keys to encrypt with, in URL-safe base64."""

    endpoint: Annotated[str, Meta(max_length=1_000)]
    p256dh: Annotated[str, Meta(max_length=100)]
    auth: Annotated[str, Meta(max_length=30)]
    language: p.Language


class QuietHours(p.Body):
    """When you do not want to be notified, in your own time; null: never."""

    quiet_from: MinuteOfDay | None
    quiet_to: MinuteOfDay | None
    utc_offset: Annotated[int, Meta(ge=-14 * 60, le=14 * 60)]
