"""FastMCP: a function registered as a tool, called through the server's own `call_tool`."""

import asyncio
import logging

from fastmcp import FastMCP
from models import Models, handler
from protocol import Refused, read_object, serve

logging.disable(logging.CRITICAL)
loop = asyncio.new_event_loop()


def build(name, parameters):
    received = []
    server = FastMCP("executor")
    server.tool(handler(received, Models(parameters).parameters()), name=name)

    def call(text):
        received.clear()
        loop.run_until_complete(server.call_tool(name, read_object(text)))
        if not received:
            raise Refused("not called")
        return received[-1]

    return call


serve(build)
