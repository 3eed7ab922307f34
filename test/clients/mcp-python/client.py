"""A client of MCP's own SDK for Python: client.py URL legacy|auto|2026-07-28. The key is in SVC_KEY; prints what it gets as JSON."""

import asyncio
import json
import os
import sys

import httpx2
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client


async def main() -> None:
    url, mode = sys.argv[1], sys.argv[2]
    headers = {"authorization": f"Bearer {os.environ['SVC_KEY']}"}
    async with httpx2.AsyncClient(headers=headers, timeout=20) as http:
        async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:
            said = await client.call_tool("say", {"text": "Good evening"})
            blocked = await client.call_tool("say", {"text": "Say SVC-TEST-BLOCK-7f3a"})
            prompt = await client.get_prompt("review", {"code": "x = 1"})
            resource = await client.read_resource("test://readme")
            seen = {
                "version": client.protocol_version,
                "tools": [tool.name for tool in (await client.list_tools()).tools],
                "prompts": [one.name for one in (await client.list_prompts()).prompts],
                "resources": [str(one.uri) for one in (await client.list_resources()).resources],
                "said": said.content[0].text,
                "blocked": blocked.is_error,
                "prompt": prompt.messages[0].content.text,
                "resource": resource.contents[0].text,
            }
    print(json.dumps(seen))


asyncio.run(main())
