"""Writes python311.txt: what CPython 3.11 (Unicode 14) calls a word character, an unassigned code point, and a case fold.

Run with Python 3.11: `python3.11 python311.py > python311.txt`. Ranges are inclusive, in hexadecimal.
"""
import re
import sys
import unicodedata

assert unicodedata.unidata_version == "14.0.0", unicodedata.unidata_version


def ranges(test):
    start = None
    for point in range(0x110000):
        inside = not 0xD800 <= point <= 0xDFFF and test(chr(point))
        if inside and start is None:
            start = point
        if not inside and start is not None:
            yield start, point - 1
            start = None
    if start is not None:
        yield start, 0x10FFFF


print("# Written by python311.py from CPython 3.11, Unicode 14.0.0.")
for name, test in (
    ("word", lambda c: re.match(r"\w", c) is not None),
    ("unassigned", lambda c: unicodedata.category(c) == "Cn"),
    ("space", str.isspace),
):
    print(f"[{name}]")
    for low, high in ranges(test):
        print(f"{low:X} {high:X}")
print("[fold]")
for point in range(0x110000):
    if 0xD800 <= point <= 0xDFFF:
        continue
    folded = chr(point).casefold()
    if folded != chr(point):
        print(f"{point:X}", *(f"{ord(c):X}" for c in folded))
