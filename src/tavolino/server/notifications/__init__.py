"""Notifications outside the page when it is somebody's turn: Web Push to browsers, webhooks to chat rooms."""
