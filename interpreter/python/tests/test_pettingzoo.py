"""PettingZoo's own tests, for every game; and offers larger than the space of actions."""

import random
import warnings

import numpy
import pytest
import trackwright as tw
from conftest import all_games
from pettingzoo.test import api_test, seed_test
from trackwright import pettingzoo


@pytest.mark.parametrize("name", all_games())
def test_it_is_an_environment(load, name):
    rules = load(name)
    with warnings.catch_warnings():
        # Of the kind "should be a Box": what it is, is what its own games with masks are.
        warnings.simplefilter("ignore")
        api_test(pettingzoo.env(rules), num_cycles=120)
        seed_test(lambda: pettingzoo.env(rules), num_cycles=30)


@pytest.mark.parametrize("actions", [2, 5, 1024])
def test_every_answer_can_be_given(load, actions):
    """However few actions there are, each answer has one on one of the pages."""
    env = pettingzoo.env(load("gomoku"), actions=actions)
    env.reset(seed=1)
    for _ in range(3):
        keys = set()
        while True:
            offered = env.infos[env.agent_selection]["answers"]
            mask = env.observe(env.agent_selection)["action_mask"]
            assert mask.sum() == len(offered) + (actions < 1024)
            if keys >= set(offered.values()):
                break
            keys |= set(offered.values())
            if actions < 1024:
                env.step(actions - 1)
        assert keys == set(env.game.keys)
        env.step(next(iter(offered)))


def test_the_same_answer_is_the_same_action(load):
    env = pettingzoo.env(load("tic-tac-toe"))
    seen = {}
    for seed in range(5):
        env.reset(seed=seed)
        chance = random.Random(seed)
        while env.agents and not any(env.terminations.values()):
            answers = env.infos[env.agent_selection]["answers"]
            for action, key in answers.items():
                assert seen.setdefault(key, action) == action
            env.step(chance.choice(list(answers)))
    assert len(seen) == 9


def test_rewards_sum_up_to_nothing(load):
    for name, seats in (("tic-tac-toe", 2), ("ticket-to-ride-maerklin", 3)):
        env = pettingzoo.env(load(name), seats=seats)
        env.reset(seed=2)
        for agent in env.agent_iter():
            observation, _, over, cut, _ = env.last()
            if over or cut:
                assert abs(sum(env._cumulative_rewards.values())) < 1e-9
                break
            env.step(int(numpy.flatnonzero(observation["action_mask"])[0]))


def test_a_seat_that_is_not_asked_is_told_nothing_of_the_offer(load):
    env = pettingzoo.env(load("tic-tac-toe"))
    env.reset(seed=1)
    other = env.observe("seat_1")
    assert other["action_mask"].sum() == 0 and env.infos["seat_1"] == {}
    with pytest.raises(tw.CallError, match="is not offered"):
        env.step(next(at for at in range(env.actions) if at not in env.infos["seat_0"]["answers"]))


def test_a_game_without_end_is_cut(load):
    env = pettingzoo.env(load("chess"), max_answers=3)
    env.reset(seed=1)
    for _ in range(3):
        env.step(next(iter(env.infos[env.agent_selection]["answers"])))
    assert all(env.truncations.values()) and not any(env.terminations.values())


def test_wrong_calls_are_told(load):
    rules = load("tic-tac-toe")
    env = pettingzoo.env(rules)
    with pytest.raises(tw.CallError, match="call `env.reset\\(\\)` first"):
        env.step(0)
    assert env.observe("seat_0")["action_mask"].sum() == 0
    with pytest.raises(tw.CallError, match="(?s)no agent `A`.*seat_0, seat_1"):
        env.observe("A")
    with pytest.raises(tw.CallError, match='`render_mode` is "x"'):
        pettingzoo.env(rules, render_mode="x")
    with pytest.raises(tw.CallError, match="`actions` is 1"):
        pettingzoo.env(rules, actions=1)
    with pytest.raises(TypeError, match="`overlays` wants a list of names"):
        pettingzoo.env("tic-tac-toe", overlays="x")
    with pytest.raises(tw.CallError, match="have their overlays"):
        pettingzoo.env(rules, overlays=["x"])
