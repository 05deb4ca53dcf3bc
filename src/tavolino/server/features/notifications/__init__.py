"""Notifications when it is somebody's turn: Web Push and webhooks, to the hosts that the operator allows."""

from tavolino.server.features.notifications.feature import Notifications
from tavolino.server.features.notifications.routes import ROUTES as ROUTES

FEATURE = Notifications
