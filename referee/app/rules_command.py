"""``cueref rules``: the clauses of the rule books, what decides each, and the open points with their defaults."""

import click

from referee.rules.book import Clause, book, search
from referee.rules.differences import DIFFERENCES
from referee.rules.games import GAMES
from referee.rules.settings import POLICIES, Settings

WORDS = {"V": "seen by the camera", "G": "computed from positions at rest", "O": "told by an official"}


@click.command()
@click.argument("words", nargs=-1)
@click.option("--game", type=click.Choice(sorted(GAMES)), help="Only this game's clauses.")
@click.option("--policies", is_flag=True, help="List the policies: readings of open points, and the defaults.")
@click.option("--differences", is_flag=True, help="List where the current rules differ, and what of that is built.")
def rules(words: tuple[str, ...], game: str | None, policies: bool, differences: bool) -> None:
    """List the clauses that hold all WORDS (an id, or words of the text), each with what decides it.

    A clause marked with * is looked at in every record; the fields that it needs are named.
    """
    if policies:
        plain = Settings()
        for name, policy in POLICIES.items():
            readings = ", ".join(str(choice) for choice in policy.choices) or "a number"
            click.echo(f"{policy.id:<7} {name}: {policy.about}")
            click.echo(f"        default {getattr(plain, name)}; readings: {readings}")
        return
    if differences:
        for each in DIFFERENCES:
            if game is None or game in each.games:
                how = "not built" if each.policy is None else "{}: {}".format(*each.policy)
                click.echo(f"{each.id:<7} {', '.join(each.games)}: {each.current} [{how}]")
        return
    checked = {check.clause: check.needs for each in GAMES.values() for check in each.checks}
    found = search(" ".join(words), game)
    for clause in found:
        click.echo(_described(clause, checked))
    click.echo(f"{len(found)} of {len(book())} clauses")


def _described(clause: Clause, checked: dict[str, tuple[str, ...]]) -> str:
    letters = [WORDS[letter] for letter in "VGO" if letter in clause.observability]
    how = "; ".join(letters) or "a definition"
    rows = [f"{clause.id}{'*' if clause.id in checked else ''}  {clause.rule}"]
    rows.append(f"    decided by {clause.decided_by} ({how})" if letters else f"    {how}")
    if clause.id in checked:
        rows.append("    needs " + ", ".join(checked[clause.id]))
    if clause.consequence != "-":
        rows.append(f"    {clause.consequence}")
    return "\n".join(rows)
