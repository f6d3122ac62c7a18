"""What a request is refused with: a status and one clear line."""

from starlette.responses import JSONResponse

from referee.app.said import refused_in_words


class Refused(Exception):
    """An answer that isn't what was asked for. ``field``: which part of the request is wrong, where one is."""

    def __init__(self, status: int, said: str, field: str | None = None, headers: dict[str, str] | None = None) -> None:
        super().__init__(said)
        self.status = status
        self.said = said
        self.field = field
        self.headers = headers

    def response(self) -> JSONResponse:
        return refusal(self.status, self.said, self.field, self.headers)


def refusal(status: int, said: str, field: str | None = None, headers: dict[str, str] | None = None) -> JSONResponse:
    """``{"error": "one clear line", "text": {"en": …, "ru": …}, "field": …}``."""
    line = one_line(said)
    text = {lang: one_line(words) for lang, words in refused_in_words(status, line).items()}
    return JSONResponse({"error": line, "text": text, "field": field}, status, headers)


def one_line(text: str) -> str:
    """Printable, on one line, not endless."""
    plain = "".join(each if each.isprintable() else " " for each in text)
    return plain if len(plain) <= 400 else plain[:397] + "..."
