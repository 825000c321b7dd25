"""One learner among agents, with Gymnasium: a few games alone, then many at once."""

from __future__ import annotations

import gymnasium

import racegym  # noqa: F401 (makes the ids known)

env = gymnasium.make("racegym/CafeRace-v0", opponents="scripted", num_players=4)
for seed in range(3):
    observation, info = env.reset(seed=seed)
    over = False
    while not over:
        action = env.action_space.sample(info["action_mask"])
        observation, reward, terminated, truncated, info = env.step(action)
        over = terminated or truncated
    print(f"game {seed}: seat {info['seat']}, rank {info['ranks'][info['seat']]}, {reward:+.2f}")

envs = gymnasium.make_vec("racegym/CafeRace-v0", num_envs=64, opponents="random")
observations, infos = envs.reset(seed=1)
games, total = 0, 0.0
for _ in range(100):
    actions = infos["action_mask"].argmax(axis=1)  # the lowest legal action in every game
    observations, rewards, terminated, truncated, infos = envs.step(actions)
    games += int((terminated | truncated).sum())
    total += float(rewards.sum())
print(f"always the lowest action: {total / games:+.3f} on average over {games} games")
