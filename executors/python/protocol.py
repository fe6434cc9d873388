"""The executor protocol in Python: calls in as JSON lines, what the handler received out.

A line is a call as `samecall` writes it, with the tool's JSON Schema under `parameters` and, where the call uses
an alias, the tool's own name under `registered_as`. The answer is `{"received": VALUE}` or
`{"refused": "<word>"}`, one line a call, in order. docs/EXECUTORS.md defines VALUE.
"""

import datetime
import decimal
import enum
import json
import sys
import uuid

# Tools kept built; a stream with more schemas than this builds the rest anew.
KEPT = 4096


class Refused(Exception):
    """The executor does not hand the call to its handler. The text is a word, never a value."""


def dump(value):
    """What a handler received, with its types, as a JSON value."""
    if value is None or value is True or value is False:
        return value
    kind = type(value)
    if kind is str:
        return value
    if kind is int:
        return {"int": str(value)}
    if kind is float:
        return {"float": repr(value)}
    if kind is list:
        return [dump(item) for item in value]
    if kind is dict:
        return {"object": {str(name): dump(item) for name, item in value.items()}}
    if isinstance(value, enum.Enum):
        return dump(value.value)
    if kind is tuple:
        return {"tuple": [dump(item) for item in value]}
    if isinstance(value, (set, frozenset)):
        return {"set": sorted((dump(item) for item in value), key=json.dumps)}
    if isinstance(value, decimal.Decimal):
        return {"decimal": str(value)}
    # Python's own equality: aware ones are equal at one instant, and never to a naive one.
    if isinstance(value, datetime.datetime):
        if value.utcoffset() is not None:
            try:
                moment = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
                return {"datetime": moment.isoformat() + "Z"}
            except OverflowError:
                return {"datetime": value.isoformat()}
        return {"datetime": value.isoformat()}
    if isinstance(value, datetime.date):
        return {"date": value.isoformat()}
    if isinstance(value, datetime.time):
        offset = value.utcoffset()
        if offset is None:
            return {"time": value.isoformat()}
        # Aware times compare by their reading less the offset, not modulo a day.
        since = datetime.timedelta(
            hours=value.hour, minutes=value.minute, seconds=value.second, microseconds=value.microsecond
        )
        return {"time": f"{(since - offset) / datetime.timedelta(microseconds=1):.0f} us UTC"}
    if isinstance(value, datetime.timedelta):
        return {"duration": f"{value // datetime.timedelta(microseconds=1)} us"}
    if isinstance(value, uuid.UUID):
        return {"uuid": str(value)}
    fields = getattr(kind, "model_fields", None)
    if fields is not None:
        named = {field.alias or name: getattr(value, name) for name, field in fields.items()}
        named.update(value.model_extra or {})
        return {"object": {name: dump(item) for name, item in named.items()}}
    if isinstance(value, (str, int, float)):
        return dump(kind.__mro__[-2](value))
    return {kind.__name__: str(value)}


def serve(build):
    """Answers calls until the input ends. `build(name, parameters)` makes a tool: a function from the argument
    text to what its handler received, which raises `Refused` or any validation error to refuse."""
    kept = {}
    out = sys.stdout.buffer
    for line in sys.stdin.buffer:
        call = json.loads(line)
        name = call.get("registered_as", call["tool"])
        try:
            if name != call["tool"]:
                raise Refused("unknown tool")
            parameters = call.get("parameters", {})
            key = (name, json.dumps(parameters))
            tool = kept.get(key)
            if tool is None:
                try:
                    tool = build(name, parameters)
                except Exception as error:  # A schema that the package cannot take: every call is refused.
                    tool = _refusing(f"schema: {type(error).__name__}")
                if len(kept) < KEPT:
                    kept[key] = tool
            answer = {"received": dump(tool(call.get("arguments", "")))}
        except Refused as refused:
            answer = {"refused": str(refused)}
        except Exception as error:  # Whatever the package raises is its refusal.
            answer = {"refused": type(error).__name__}
        out.write(json.dumps(answer).encode())
        out.write(b"\n")
    out.flush()


def _refusing(reason):
    def refuse(_text):
        raise Refused(reason)

    return refuse


def read_json(text):
    """The arguments as a harness in Python reads them: `json.loads`."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise Refused("no JSON") from None


def read_object(text):
    """The arguments where the next step takes an object or nothing."""
    value = read_json(text)
    if value is not None and not isinstance(value, dict):
        raise Refused("arguments are no object")
    return value
