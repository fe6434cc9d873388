"""Pydantic v2, lax or (with `--strict`) strict: a model validates the argument text, as PydanticAI and the OpenAI
Agents SDK do."""

import sys

from models import Models
from protocol import serve

strict = "--strict" in sys.argv[1:]


def build(name, parameters):
    model = Models(parameters, strict=strict).arguments(name)
    return model.model_validate_json


serve(build)
