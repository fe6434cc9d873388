"""Python's `jsonschema`: the arguments are checked against the schema and handed on as they were read."""

from jsonschema.validators import validator_for
from protocol import Refused, read_json, serve


def build(_name, parameters):
    kind = validator_for(parameters)
    kind.check_schema(parameters)
    validator = kind(parameters)

    def call(text):
        value = read_json(text)
        if not validator.is_valid(value):
            raise Refused("invalid")
        return value

    return call


serve(build)
