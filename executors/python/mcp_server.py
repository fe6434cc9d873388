"""The `mcp` Python SDK: a function registered with `MCPServer`, called by a client that is connected in memory."""

import asyncio
import logging

from mcp.client import Client
from mcp.server import MCPServer
from models import Models, handler
from protocol import Refused, read_object, serve

logging.disable(logging.CRITICAL)
loop = asyncio.new_event_loop()


def build(name, parameters):
    received = []
    server = MCPServer("executor")
    server.add_tool(handler(received, Models(parameters).parameters()), name=name)
    client = Client(server)
    loop.run_until_complete(client.__aenter__())

    def call(text):
        received.clear()
        loop.run_until_complete(client.call_tool(name, read_object(text)))
        if not received:
            raise Refused("not called")
        return received[-1]

    return call


serve(build)
