"""WebSocket connections: handshake, frames, decoding, bounded queues."""
