"""A server of MCP's own SDK for Python: server.py PORT modern|sessions. It serves all revisions; `sessions` refuses requests of 2026-07-28."""

import sys

import uvicorn
from mcp.server.mcpserver import MCPServer

port, kind = int(sys.argv[1]), sys.argv[2]
server = MCPServer("test")


@server.tool(description="Says a text again.")
def say(text: str) -> str:
    return text


@server.prompt(description="Reviews code.")
def review(code: str) -> str:
    return f"Review this code: {code}"


@server.resource("test://readme", description="The read-me file.")
def readme() -> str:
    return "Read me."


app = server.streamable_http_app(stateless_http=kind == "modern")


async def without_modern(scope, receive, send):
    """The same without the revision 2026-07-28."""
    headers = dict(scope.get("headers", []))
    if headers.get(b"mcp-protocol-version") == b"2026-07-28":
        await send({"type": "http.response.start", "status": 400, "headers": []})
        await send({"type": "http.response.body", "body": b""})
    else:
        await app(scope, receive, send)


uvicorn.run(app if kind == "modern" else without_modern, host="127.0.0.1", port=port, log_level="error")
