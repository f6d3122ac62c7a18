"""What answers hold, for the API's description."""

from typing import Any

Schema = dict[str, Any]

DIFFERENCE: Schema = {
    "type": "object",
    "required": ["n", "line", "field", "was", "now"],
    "properties": {
        "n": {"type": ["integer", "null"], "description": "the shot"},
        "line": {"type": "integer", "description": "0: its own verdict, then those of the official lines after it"},
        "field": {"type": "string", "description": "of the verdict, contract section 5"},
    },
}
DONE: Schema = {
    "type": "object",
    "properties": {
        "seq": {"type": "integer", "description": "the last line's number in the log"},
        "verdict": {"type": ["object", "null"], "description": "contract section 5; null where nothing was judged"},
        "differences": {
            "type": "array",
            "description": "of a preview: what would change, in the order of play; of very many the first",
            "items": DIFFERENCE,
        },
        "total": {"type": "integer", "description": "of a preview: how many differences there are"},
    },
}
NAMED: Schema = {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}}}
STATE: Schema = {
    "type": "object",
    "required": ["seq", "state"],
    "properties": {"seq": {"type": "integer"}, "state": {"type": "object", "required": ["match"]}},
}
FOUND: Schema = {
    "type": "object",
    "required": ["matches", "total"],
    "properties": {"matches": {"type": "array", "items": {"type": "object"}}, "total": {"type": "integer"}},
}
