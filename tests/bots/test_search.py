"""The search: deterministic, the same in chunks and in threads, and it finds sure wins."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

import tavolino
from tavolino.bots.levels import Search
from tavolino.bots.policies import policy_of
from tavolino.bots.search import DEEPEST, PARAMS, Params, params_of
from tavolino.bots.tree import USED, Used
from tavolino.engine.match import Match


def search(match: Match, seed: int = 1, **changes: object) -> Search:
    game = match.game.name
    assert match.to_act is not None
    world = match.resample(match.to_act, seed)
    policy = policy_of(game)
    settings = replace(policy.search, **changes)  # type: ignore[arg-type]
    return Search(match.game, world._states, match.to_act, seed, settings, policy.weights_of("hard"))


@pytest.mark.parametrize("game", tavolino.games())
def test_chunks_of_any_size_grow_the_same_tree(game: str) -> None:
    match = tavolino.load(game).start(3, "chunks")
    one, two = search(match), search(match)
    one._grow(600)
    for chunk in (1, 99, 300, 200):
        two._grow(chunk)
    used = one._tree[2][0]
    for mine, theirs, n in zip(one._tree[:2], two._tree[:2], (used["nodes"], used["edges"]), strict=True):
        assert (mine[:n] == theirs[:n]).all()
    assert one.choice() == two.choice()


@pytest.mark.parametrize("game", tavolino.games())
def test_the_tree_counts_every_iteration_and_no_action_beyond_its_availability(game: str) -> None:
    match = tavolino.load(game).start(4, "counts")
    grown = search(match)
    grown.run(iterations=500)
    nodes, edges, used = grown._tree
    root_visits, at = 0, int(nodes[0]["first_edge"])
    while at >= 0:
        root_visits += int(edges[at]["visits"])
        at = int(edges[at]["next_edge"])
    assert root_visits == 500
    made = edges[: used[0]["edges"]]
    assert (made["visits"] <= made["available"] + 1).all()
    assert (made["value"] >= 0).all()
    assert (made["value"] <= made["visits"] + 1e-9).all(), "a reward is at most one win"


def test_compiled_records_have_the_fields_that_the_type_checker_knows() -> None:
    for record, protocol in ((PARAMS, Params), (USED, Used)):
        assert set(record.names or ()) == set(protocol.__annotations__)


def test_a_search_deeper_than_its_memory_is_refused(game: tavolino.Game) -> None:
    settings = policy_of(game.name).search
    assert params_of(settings)[0]["depth"] == settings.depth
    with pytest.raises(ValueError, match=f"1 to {DEEPEST}"):
        params_of(replace(settings, depth=DEEPEST + 1))


@pytest.mark.parametrize("game", tavolino.games())
def test_without_searching_opponents_the_tree_holds_decisions_of_the_searching_seat_alone(game: str) -> None:
    """At depth one there is only the root, whoever decides before the seat's next turn."""
    match = tavolino.load(game).start(4, "alone")
    grown = search(match, opponents_search=False, depth=1, widening=100.0)
    grown.run(iterations=300)
    nodes, _, used = grown._tree
    assert used[0]["nodes"] == 1
    assert used[0]["edges"] == nodes[0]["edges"] == len(match.legal())


@pytest.mark.parametrize("informed", [0, 5, 10_000])
def test_players_of_a_searched_world_may_stop_learning_at_any_time(informed: int) -> None:
    match = tavolino.load("infinity-gauntlet").start(4, "quiet")
    grown = search(match, informed=informed)
    grown.run(iterations=300)
    made = grown._tree[1][: grown._tree[2][0]["edges"]]
    assert np.isfinite(made["value"]).all()
    assert 0.0 <= grown.choice()[1] <= 1.0


def test_a_full_tree_goes_on_without_growing() -> None:
    match = tavolino.load("mantis").start(4, "small room")
    grown = search(match, capacity=40)
    grown.run(iterations=300)
    assert max(grown._tree[2][0]["nodes"], grown._tree[2][0]["edges"]) <= 40
    assert match.game.action_text(None, grown.choice()[0]) in match.legal()


def test_searches_in_threads_do_not_disturb_each_other() -> None:
    matches = [tavolino.load("mantis").start(4, seed) for seed in range(4)]

    def choose(match: Match) -> tuple[int, float]:
        grown = search(match)
        grown.run(iterations=800)
        return grown.choice()

    alone = [choose(match) for match in matches]
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(choose, matches)) == alone


def nearly_won_mantis() -> Match:
    """Seat 0 can win at once by scoring: every colour of the next back is in its tank, and the goal is near."""
    match = tavolino.load("mantis").start(3, "nearly", options={"icons": False})
    states = match._states
    states["score"][0, 0] = 8
    states["tank"][0, 0, :] = 2
    match._advance(3, 0)  # list what is legal now
    return match


def test_it_takes_a_sure_win() -> None:
    grown = search(nearly_won_mantis())
    grown.run(iterations=300)
    number, win = grown.choice()
    assert number == 0, "score"
    assert win == pytest.approx(1.0)


def test_at_the_root_all_actions_are_tried_in_the_same_worlds() -> None:
    """The favourite is tried first in every world, and no action is a world ahead of others still tried."""
    grown = search(tavolino.load("infinity-gauntlet").start(4, "same worlds"))
    grown.run(iterations=1500)
    nodes, edges, used = grown._tree
    root = edges[: nodes[0]["edges"]]
    assert len(root) > 1
    assert 0 <= root["visits"][0] - used[0]["worlds"] <= 1
    assert (root["visits"] <= root["visits"][0]).all()
    assert (root["visits"][root["is_eliminated"] == 0] >= used[0]["worlds"]).all()
    assert root["visits"].sum() == grown.iterations


def test_a_choice_that_is_clear_ends_the_search() -> None:
    grown = search(nearly_won_mantis())
    grown.run(iterations=100_000)
    nodes, edges, used = grown._tree
    assert grown.iterations < 10_000
    assert used[0]["is_settled"] == 1
    assert edges["is_eliminated"][: nodes[0]["edges"]].sum() == nodes[0]["edges"] - 1
    assert grown.choice()[0] == 0, "score"
    before = grown.iterations
    grown.run(iterations=100)
    assert grown.iterations == before


def test_a_search_ends_when_no_other_action_can_become_the_most_visited_one() -> None:
    """The choice is that of the whole search."""
    iterations, shorter = 4_000, 0
    for seed in range(4):
        match = tavolino.load("splendor-marvel").start(2, f"settled {seed}")
        for _ in range(12):
            match.advance(match.legal()[0])
        whole, ended = search(match, seed), search(match, seed)
        whole._grow(iterations)
        ended.run(iterations)
        assert ended.choice()[0] == whole.choice()[0]
        shorter += ended.iterations < iterations
    assert shorter > 0


def test_the_margin_keeps_the_favourite_of_the_heuristic_while_the_search_is_young() -> None:
    from tavolino.bots.search import choose_edge
    from tavolino.bots.tree import add_edge, add_node, new_tree

    nodes, edges, used = new_tree(8)
    add_node(nodes, used[0], 0)
    favourite, rival = (add_edge(nodes, edges, used[0], 0, action) for action in (5, 6))
    for edge, visits, wins in ((favourite, 50, 24), (rival, 60, 31)):
        edges[edge]["visits"], edges[edge]["value"], edges[edge]["squares"] = visits, wins, wins
    assert choose_edge(nodes, edges, used, 2.0) == favourite
    for edge in (favourite, rival):
        for field in ("visits", "value", "squares"):
            edges[edge][field] *= 1000
    assert choose_edge(nodes, edges, used, 2.0) == rival
    assert np.isfinite(edges[rival]["value"])
