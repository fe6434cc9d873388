"""LangChain: a `StructuredTool` with a Pydantic model, fed by LangChain's own reader of a model's tool calls."""

from langchain_core.output_parsers.openai_tools import parse_tool_call
from langchain_core.tools import StructuredTool
from models import Models
from protocol import Refused, serve


def build(name, parameters):
    received = []

    def handle(*positional, **arguments):
        received.append({**{str(at): value for at, value in enumerate(positional)}, **arguments})
        return "done"

    model = Models(parameters).arguments(name)
    tool = StructuredTool.from_function(handle, name=name, description=name, args_schema=model)

    def call(text):
        received.clear()
        raw = {"id": "call", "function": {"name": name, "arguments": text}}
        tool.invoke(parse_tool_call(raw) | {"type": "tool_call"})
        if not received:
            raise Refused("not called")
        return received[-1]

    return call


serve(build)
