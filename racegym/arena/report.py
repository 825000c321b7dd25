"""A match's result for people: tables on stdout."""

from __future__ import annotations

from racegym.arena.result import AgentResult, Comparison, MatchResult
from racegym.arena.statistics import Estimate
from racegym.console import print_table
from racegym.counts import percent
from racegym.engine import registry
from racegym.engine.words import counted


def print_report(result: MatchResult) -> None:
    """Print the tables of a match: the agents, their shares by seat, and the comparisons."""
    place, level = result.place, f"{result.confidence:.0%}".replace("%", " %")
    print(heading(result))
    columns = [
        "agent",
        f"{place}s",
        "win share",
        "mean rank",
        "mean score",
        "mean reward",
        "rating",
    ]
    right = range(1, len(columns))
    rows = [_agent_row(agent, result) for agent in result.agents]
    print_table(
        f"Agents, per {place}: fair win share {percent(result.fair_share)}; [{level} intervals]",
        columns,
        rows,
        right=right,
    )
    for line in legend(result):
        print(line)
    by_place = [f"{place} {p}" for p in range(result.places)]
    shares = [[a.name, *map(_share, a.win_share_by_place)] for a in result.agents]
    print_table(f"Win share by {place}", ("agent", *by_place), shares, right=range(1, 99))
    columns = ["agent", "against", "ranks ahead", "win share", "rank", "score", "is"]
    rows = [_comparison_row(comparison) for comparison in result.comparisons]
    print_table("Differences, deal by deal", columns, rows, right=range(2, 6), names=2)


def heading(result: MatchResult) -> str:
    """What was played and how, in a few lines."""
    title = registry.game(result.game).title
    deals = counted(result.deals, "deal")
    arrangements = counted(result.games_per_deal, "arrangement")
    games = f"{deals} x {arrangements} = {counted(result.games, 'game')}"
    lines = [f"{title}, {result.players} players: {games}, seed {result.seed}"]
    if result.interrupted:
        lines.append("Interrupted: only the deals finished until then are counted.")
    if result.settled is not None:
        outcome = "settled" if result.settled else "not settled"
        looks = counted(result.looks, "time")
        lines.append(f"Looked at {looks} at most, intervals widened for it: {outcome}.")
    if result.truncated:
        cut = counted(result.truncated, "game was", "games were")
        ranked = "it" if result.truncated == 1 else "they"
        lines.append(f"{cut} cut at max_turns and ranked as {ranked} stood.")
    return "\n".join(lines)


def legend(result: MatchResult) -> list[str]:
    """What the names stand for, a line for each that is not what the agent was asked for by."""
    named = [a for a in result.agents if a.spec is not None and a.spec != a.name.partition(" #")[0]]
    return [f"  {agent.name}: {agent.spec}" for agent in named]


def _agent_row(agent: AgentResult, result: MatchResult) -> list[str]:
    return [
        agent.name,
        f"{agent.appearances / result.games:g}",
        _share(agent.win_share),
        _number(agent.mean_rank),
        _number(agent.mean_score),
        _number(agent.mean_reward, "+"),
        _number(agent.rating, "+", 0),
    ]


def _comparison_row(comparison: Comparison) -> list[str]:
    return [
        comparison.first,
        comparison.second,
        "never meet" if comparison.ahead is None else _share(comparison.ahead),
        _share(comparison.win_share, "+"),
        _number(comparison.rank, "+"),
        _number(comparison.score, "+"),
        comparison.verdict,
    ]


def _share(estimate: Estimate, sign: str = "") -> str:
    """``31.2 % [28.9, 33.6]``."""
    low, high = (None if x is None else 100 * x for x in (estimate.low, estimate.high))
    return f"{percent(estimate.value, sign)}{_interval(low, high, sign, 1)}"


def _number(estimate: Estimate, sign: str = "", digits: int = 2) -> str:
    """``2.41 [2.35, 2.47]``."""
    interval = _interval(estimate.low, estimate.high, sign, digits)
    return f"{estimate.value:{sign}.{digits}f}{interval}"


def _interval(low: float | None, high: float | None, sign: str, digits: int) -> str:
    if low is None or high is None:
        return ""
    return f" [{low:{sign}.{digits}f}, {high:{sign}.{digits}f}]"
