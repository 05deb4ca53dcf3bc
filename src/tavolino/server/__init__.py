"""Tables over HTTP and WebSocket: people, tables, play, fair deals, storage."""
