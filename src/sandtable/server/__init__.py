"""The server: HTTP and WebSocket, accounts, matches and their store. It knows no game's rules."""
