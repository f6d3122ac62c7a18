"""Every clause that decides something has its examples."""

import shows


def test_no_clause_lacks_an_example() -> None:
    shows.load()
    assert shows.missing(("",)) == {}


def test_the_reasons_name_clauses_of_the_book() -> None:
    named = {*shows.NOT_DECIDED, *shows.WITH_NUMBER, *shows.MAY_BE_OPEN}
    assert named <= set(shows.book())
