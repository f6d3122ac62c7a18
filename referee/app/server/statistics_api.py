"""Statistics by HTTP: of the running match, of another one that is kept, or of a player over all of them."""

from typing import Any

from referee.app.desk.statistics import added, finished, of_match
from referee.app.server.bodies import StatisticsQuery
from referee.app.server.endpoints import Call, Endpoint
from referee.app.server.errors import Refused
from referee.app.server.match_api import desk_of


def statistics(call: Call) -> dict[str, Any]:
    query: StatisticsQuery = call.query
    matches = call.house.matches
    if query.player is not None:
        if query.match is not None:
            raise Refused(422, "player or match, not both", "match")
        found = matches.statistics(query.player, query.game)
        return {"player": query.player, "matches": len(found), "players": {query.player: finished(added(found))}}
    if query.match is not None and (matches.current is None or query.match != matches.current.id):
        people = matches.statistics_of(query.match)
        return {"match": query.match, "players": {name: finished(each) for name, each in people.items()}}
    desk = desk_of(call)
    return {"match": desk.id, "players": {name: finished(each) for name, each in of_match(desk.match).items()}}


ENDPOINTS = (
    Endpoint(
        method="GET", path="/api/statistics", handle=statistics, query=StatisticsQuery, refusals=(404, 409, 422),
        summary="Breaks, pots by distance and angle, safety, time a shot, and heat maps",
    ),
)  # fmt: skip
