"""Python annotations from a JSON Schema: the types whose own schema it is.

A harness in Python writes types and sends their JSON Schema to the model; this goes the other way. A property that is
optional without a default becomes `T | None = None`, as nearly all such code has it. Formats become the types that
have them: `datetime`, `date`, `time`, `timedelta`, `UUID`, `AnyUrl`, `EmailStr`; an unknown format stays `str`.
"""

import datetime
import inspect
import keyword
import uuid
import warnings
from typing import Annotated, Any, Literal, Union

from pydantic import AnyUrl, BaseModel, ConfigDict, EmailStr, Field, create_model

warnings.filterwarnings("ignore", message="Field name .* shadows")

FORMATS = {
    "date-time": datetime.datetime,
    "date": datetime.date,
    "time": datetime.time,
    "duration": datetime.timedelta,
    "uuid": uuid.UUID,
    "uri": AnyUrl,
    "email": EmailStr,
}
# Words of hand-written schemas that are no JSON Schema types.
WILD = {"dict": "object", "float": "number", "tuple": "array", "list": "array", "int": "integer", "str": "string", "bool": "boolean"}
BOUNDS = {
    "minimum": "ge",
    "maximum": "le",
    "exclusiveMinimum": "gt",
    "exclusiveMaximum": "lt",
    "multipleOf": "multiple_of",
}
LENGTHS = {"minLength": "min_length", "maxLength": "max_length"}
ITEMS = {"minItems": "min_length", "maxItems": "max_length"}
MISSING = object()


class Models:
    """The types of one tool."""

    def __init__(self, root, strict=False):
        self.root = root if isinstance(root, dict) else {}
        self.strict = strict
        self.open = []

    def arguments(self, name):
        """The model of the arguments as a whole."""
        return self.model(name, self.root)

    def parameters(self):
        """The arguments as parameters of a function: keyword-only, so that any may have a default."""
        return [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default)
            for name, annotation, default in (
                (name, annotation, inspect.Parameter.empty if default is MISSING else default)
                for name, annotation, default in self.members(self.root)
            )
        ]

    def model(self, name, schema):
        extra = "forbid" if schema.get("additionalProperties") is False else "ignore"
        config = ConfigDict(strict=self.strict, extra=extra)
        fields = {}
        for index, (member, annotation, default) in enumerate(self.members(schema)):
            plain = member.isidentifier() and not keyword.iskeyword(member)
            # Other attributes of a model (`json`, `copy`) may be shadowed, with a warning.
            if plain and not member.startswith(("_", "model_")):
                info = Field() if default is MISSING else Field(default=default)
                fields[member] = (annotation, info)
            else:
                info = Field(alias=member) if default is MISSING else Field(default=default, alias=member)
                fields[f"field_{index}"] = (annotation, info)
        return create_model(name, __config__=config, **fields)

    def members(self, schema):
        """Each declared property: its name, annotation and default."""
        required = schema.get("required") or []
        for name, property in (schema.get("properties") or {}).items():
            property = property if isinstance(property, dict) else {}
            annotation = self.annotation(property, name)
            default = self.resolved(property).get("default", MISSING)
            if default is MISSING and name not in required:
                annotation, default = Union[annotation, None], None
            yield name, annotation, default

    def resolved(self, schema):
        seen = 0
        while isinstance(schema, dict) and "$ref" in schema and seen < 16:
            found = self.root
            for part in str(schema["$ref"]).removeprefix("#").strip("/").split("/"):
                found = found.get(part, {}) if isinstance(found, dict) else {}
            rest = {key: value for key, value in schema.items() if key != "$ref"}
            schema = {**found, **rest} if isinstance(found, dict) else rest
            seen += 1
        return schema if isinstance(schema, dict) else {}

    def annotation(self, schema, name):
        if not isinstance(schema, dict):
            return Any
        reference = schema.get("$ref")
        if reference is not None:
            # A schema that contains itself is open where it does.
            if reference in self.open:
                return Any
            self.open.append(reference)
            found = self.annotation({**self.resolved(schema)}, name)
            self.open.pop()
            return found
        if "const" in schema:
            return literal([schema["const"]])
        if "enum" in schema:
            return literal(schema["enum"])
        for word in ("anyOf", "oneOf"):
            if word in schema:
                return union([self.annotation(branch, name) for branch in schema[word]])
        types = schema.get("type")
        if isinstance(types, list):
            return union([self.annotation({**schema, "type": one}, name) for one in types])
        return self.typed(WILD.get(types, types), schema, name)

    def typed(self, word, schema, name):
        match word:
            case "string":
                kind = FORMATS.get(schema.get("format"), str)
                limits = limited(schema, LENGTHS) if kind is str else {}
                if kind is str and "pattern" in schema:
                    limits["pattern"] = schema["pattern"]
                return Annotated[kind, Field(**limits)] if limits else kind
            case "integer" | "number":
                kind = int if word == "integer" else float
                limits = limited(schema, BOUNDS)
                return Annotated[kind, Field(**limits)] if limits else kind
            case "boolean":
                return bool
            case "null":
                return None
            case "array":
                prefix = schema.get("prefixItems")
                if prefix:
                    return tuple[tuple(self.annotation(item, name) for item in prefix)]
                kind = list[self.annotation(schema.get("items", {}), name)]
                limits = limited(schema, ITEMS)
                return Annotated[kind, Field(**limits)] if limits else kind
            case "object":
                if schema.get("properties"):
                    return self.model(f"{name}_", schema)
                return dict[str, self.annotation(schema.get("additionalProperties", {}), name)]
        return Any


def limited(schema, words):
    return {ours: schema[theirs] for theirs, ours in words.items() if theirs in schema}


def literal(members):
    if all(member is None or isinstance(member, (str, int, bool)) for member in members):
        return Literal[tuple(members)]
    return Any


def union(branches):
    if not branches:
        return Any
    return Union[tuple(branches)]


def handler(received, parameters):
    """A function with these parameters, for packages that read a function's signature; what it is called with goes
    into `received`."""

    def handle(**arguments):
        received.append(arguments)
        return "done"

    handle.__signature__ = inspect.Signature(parameters, return_annotation=str)
    handle.__annotations__ = {p.name: p.annotation for p in parameters} | {"return": str}
    return handle
