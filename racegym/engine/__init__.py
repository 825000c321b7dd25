"""What a game is, chance, the generic kernels, and the registry."""
