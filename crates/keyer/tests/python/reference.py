"""The article's five strategies in Python, transcribed from the rules that the crate's documentation states.

The differential tests run this file in one long process: it answers each line of standard input (a JSON object
with "op" and its operands) with one JSON line. It needs CPython 3.11, which has
Unicode 14: the tests ask `version` first and skip themselves on any other.
"""

import hashlib
import json
import re
import struct
import sys
import unicodedata

MISSING = object()

TIMESTAMP = r"(\d{4}-\d{2}-\d{2})([%s])(\d{2}:\d{2}:\d{2})(\.\d+)?([%s]|[+-]\d{2}:\d{2})"
TIMESTAMP_ANY = re.compile(TIMESTAMP % ("Tt", "Zz"))
TIMESTAMP_CAPITAL = re.compile(TIMESTAMP % ("T", "Z"))
INTEGER = re.compile(r"-?\d+")
DECIMAL = re.compile(r"-?\d+\.\d+")


def digest(text):
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:32]


def write(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def number(value):
    return int(value) if float(value).is_integer() else value


def text(value, timestamp):
    value = re.sub(r"\s+", " ", unicodedata.normalize("NFC", value).strip())
    found = timestamp.fullmatch(value)
    if found:
        return found[1] + "T" + found[3] + found[5].upper()
    if INTEGER.fullmatch(value):
        return int(value)
    if DECIMAL.fullmatch(value):
        return number(float(value))
    return value.casefold()


def normalise(value, timestamp):
    if isinstance(value, dict):
        return {name: normalise(item, timestamp) for name, item in value.items() if item is not None}
    if isinstance(value, list):
        return [normalise(item, timestamp) for item in value]
    if isinstance(value, str):
        return text(value, timestamp)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return number(value)
    return value


def normalised_form(arguments, timestamp):
    value = json.loads(arguments)
    value.items  # arguments that are no object raise AttributeError
    return write(normalise(value, timestamp))


def form(strategy, arguments):
    if strategy == "canonical":
        return write(json.loads(arguments))
    if strategy == "normalised-capital-t":
        return normalised_form(arguments, TIMESTAMP_CAPITAL)
    return normalised_form(arguments, TIMESTAMP_ANY)


def key(strategy, call):
    tool, arguments = call["tool"], call["arguments"]
    if strategy == "raw":
        return digest(f"{tool}|{arguments}")
    inner = digest(f"{tool}|{form(strategy, arguments)}")
    if strategy == "scoped":
        return digest(f"{call.get('run_id', '-')}|{call.get('step', '-')}|{inner}")
    return inner


def guarded(function, *operands):
    try:
        return {"ok": function(*operands)}
    except (ValueError, OverflowError, AttributeError, RecursionError) as error:
        return {"error": type(error).__name__}


def answer(line):
    request = json.loads(line)
    operation = request["op"]
    if operation == "version":
        return {"python": sys.version.split()[0], "unicode": unicodedata.unidata_version}
    if operation == "keys":
        call = request["call"]
        return {name: guarded(key, name, call) for name in request["strategies"]}
    if operation == "repr":
        return [repr(struct.unpack(">d", bytes.fromhex(item))[0]) for item in request["bits"]]
    if operation == "table":
        return table(request["first"], request["last"])
    if operation == "nfc":
        return [composed(points) for points in request["texts"]]
    raise KeyError(operation)


def table(first, last):
    """What CPython knows of each code point: white space, digit value (or -1), fold, NFC."""
    rows = []
    for point in range(first, last + 1):
        character = chr(point)
        rows.append([
            character.isspace(),
            unicodedata.decimal(character, -1),
            character.casefold(),
            unicodedata.normalize("NFC", character),
        ])
    return rows


def composed(points):
    """NFC from and to code points, so that no surrogates are joined on the way."""
    return [ord(character) for character in unicodedata.normalize("NFC", "".join(map(chr, points)))]


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(answer(line)), flush=True)
