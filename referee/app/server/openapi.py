"""The description of the API, made of the models that validate it, and the page that shows it."""

import html
import re
from collections.abc import Sequence
from typing import Any

from pydantic.json_schema import models_json_schema
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route

from referee.app.cli import installed_version
from referee.app.server.access import REFEREE
from referee.app.server.endpoints import COOKIE, Endpoint

REFUSED = {
    400: "not JSON",
    401: "the referee's code is needed",
    403: "from a foreign page or to a foreign name",
    404: "there is no such thing",
    409: "not possible now",
    413: "too large",
    414: "the address is too long",
    415: "not application/json",
    416: "no such range",
    422: "a field isn't as described",
    429: "too many tries",
    503: "not yet",
    507: "the disk is full",
}
ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {"type": "string"},
        "text": {"type": "object", "description": "the same by language"},
        "field": {"type": ["string", "null"]},
    },
}
REFERENCE = "#/components/schemas/{model}"


def describe(endpoints: Sequence[Endpoint]) -> dict[str, Any]:
    """The description, OpenAPI 3.1."""
    models = [model for each in endpoints for model in (each.body, each.query) if model is not None]
    pairs = [(model, "validation") for model in dict.fromkeys(models)]
    references, shared = models_json_schema(pairs, ref_template=REFERENCE)  # type: ignore[arg-type]
    schemas: dict[str, Any] = {**shared.get("$defs", {}), "Error": ERROR}
    paths: dict[str, dict[str, Any]] = {}
    for each in endpoints:
        entry = _operation(each, references, schemas)
        paths.setdefault(each.path, {})[each.method.lower()] = entry
    queries = [references[each.query, "validation"]["$ref"] for each in endpoints if each.query is not None]
    for reference in dict.fromkeys(queries):
        schemas.pop(reference.rpartition("/")[2])
    return {
        "openapi": "3.1.0",
        "info": {"title": "cueref", "version": installed_version(), "description": "The referee's server."},
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"referee": {"type": "apiKey", "in": "cookie", "name": COOKIE}},
        },
    }


def _operation(each: Endpoint, references: Any, schemas: dict[str, Any]) -> dict[str, Any]:
    answers: dict[str, Any] = {
        "200": {
            "description": "done",
            "content": {media: {"schema": _schema(each)} for media in (each.media, *each.other_media)},
        }
    }
    if each.media.startswith("video/"):
        answers["206"] = {"description": "the range that was asked for"}
    long = (414,) if each.query is not None or "{" in each.path else ()
    for status in dict.fromkeys((*each.refusals, *((401,) if each.role == REFEREE else ()), 403, *long)):
        content = {"application/json": {"schema": {"$ref": REFERENCE.format(model="Error")}}}
        answers[str(status)] = {"description": REFUSED[status], "content": content}
    out: dict[str, Any] = {"summary": each.summary, "operationId": f"{each.method} {each.path}", "responses": answers}
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in re.findall(r"{(\w+)}", each.path)
    ]
    if each.query is not None:
        parameters += _parameters(references[each.query, "validation"], schemas)
    if parameters:
        out["parameters"] = parameters
    if each.body is not None:
        schema = references[each.body, "validation"]
        out["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    if each.role == REFEREE:
        out["security"] = [{"referee": []}]
    return out


def _schema(each: Endpoint) -> dict[str, Any]:
    if each.media != "application/json":
        return {"type": "string", "format": "binary"}
    return dict(each.returns) or {"type": "object"}


def _parameters(reference: dict[str, Any], schemas: dict[str, Any]) -> list[dict[str, Any]]:
    """A query's fields. Models of one name in several modules have names of their own in the references."""
    schema = schemas[reference["$ref"].rpartition("/")[2]]
    required = schema.get("required", ())
    return [
        {"name": name, "in": "query", "required": name in required, "schema": _without_null(field)}
        for name, field in schema["properties"].items()
    ]


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """What is null in a model is left out of a query."""
    kinds = [kind for kind in schema.get("anyOf", ()) if kind.get("type") != "null"]
    plain = {name: value for name, value in schema.items() if name not in ("anyOf", "default")}
    if not kinds:
        return schema
    return {**plain, **kinds[0]} if len(kinds) == 1 else {**plain, "anyOf": kinds}


def described(endpoints: Sequence[Endpoint]) -> list[BaseRoute]:
    """The routes of the description: as JSON, and as a page to read."""
    description = describe(endpoints)
    page = _page(description)

    async def as_json(request: Request) -> Response:
        return JSONResponse(description)

    async def as_page(request: Request) -> Response:
        return HTMLResponse(page)

    return [Route("/api/openapi.json", as_json), Route("/api/", as_page), Route("/api", as_page)]


def _page(description: dict[str, Any]) -> str:
    """The description for people; no script, no style of its own beyond the pages' one."""
    rows = []
    for path, methods in description["paths"].items():
        for method, entry in methods.items():
            who = "referee" if "security" in entry else "everybody"
            rows.append(
                f"<section><h2><code>{method.upper()} {html.escape(path)}</code></h2>"
                f"<p>{html.escape(entry['summary'])}. For: {who}.</p>{_details(entry)}</section>"
            )
    models = "".join(
        f"<section><h3 id='{html.escape(name)}'>{html.escape(name)}</h3>"
        f"<p>{html.escape(schema.get('description', ''))}</p>{_fields(schema)}</section>"
        for name, schema in sorted(description["components"]["schemas"].items())
    )
    return (
        "<!doctype html><html lang='en'><head><meta charset='utf-8'><title>cueref: API</title>"
        "<meta name='viewport' content='width=device-width'></head><body><main><h1>The API of cueref</h1>"
        "<p>Changes are JSON by POST and need the referee's session, where there is a code. Errors are "
        '<code>{"error": …, "text": {"en": …, "ru": …}, "field": …}</code>. '
        "News come on the websocket <code>/api/socket?since=SEQ&amp;match=ID"
        "</code>. For programs: <a href='/api/openapi.json'>openapi.json</a>.</p>"
        f"{''.join(rows)}<h2>Models</h2>{models}</main></body></html>"
    )


def _details(entry: dict[str, Any]) -> str:
    out = ""
    for parameter in entry.get("parameters", ()):
        name, where = html.escape(parameter["name"]), parameter["in"]
        out += f"<li><code>{name}</code> in the {where}: {_kind(parameter['schema'])}</li>"
    body = entry.get("requestBody")
    if body is not None:
        out += f"<li>body: {_kind(body['content']['application/json']['schema'])}</li>"
    answers = ", ".join(f"{status} {html.escape(each['description'])}" for status, each in entry["responses"].items())
    return f"<ul>{out}<li>answers: {answers}</li></ul>"


def _fields(schema: dict[str, Any]) -> str:
    required = schema.get("required", ())
    rows = "".join(
        f"<li><code>{html.escape(name)}</code>{' (required)' if name in required else ''}: {_kind(field)}</li>"
        for name, field in schema.get("properties", {}).items()
    )
    return f"<ul>{rows}</ul>" if rows else ""


def _kind(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        name = html.escape(schema["$ref"].rpartition("/")[2])
        return f"<a href='#{name}'>{name}</a>"
    for many in ("anyOf", "oneOf", "allOf"):
        if many in schema:
            return " or ".join(_kind(each) for each in schema[many])
    if "enum" in schema or "const" in schema:
        return ", ".join(f"<code>{html.escape(str(each))}</code>" for each in schema.get("enum", [schema.get("const")]))
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    if schema.get("type") == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"object of {_kind(schema['additionalProperties'])}"
    limits = [f"{name} {schema[name]}" for name in ("minimum", "maximum", "minLength", "maxLength") if name in schema]
    return html.escape(" ".join([str(schema.get("type", "any")), *limits]))
