"""The server of the pages: HTTP and websocket, who may do what, and the description of it all."""
