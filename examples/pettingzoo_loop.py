"""The loop of PettingZoo: every agent plays a random legal action."""

from __future__ import annotations

from racegym import cafe_race_v0

env = cafe_race_v0.env(num_players=4)
env.reset(seed=7)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    if terminated or truncated:
        rank = info["ranks"][env.possible_agents.index(agent)]
        print(f"{agent}: rank {rank}, reward {reward:+.2f}")
        action = None
    else:
        action = env.action_space(agent).sample(observation["action_mask"])
    env.step(action)
env.close()
