/* The library's counter-based generator, for the hand-written comparisons. */
#ifndef RACEGYM_CHANCE_H
#define RACEGYM_CHANCE_H
#include <stdint.h>

#define GAMMA 0x9E3779B97F4A7C15ULL
enum { DEALS, DICE, TIES, REDEALS, STREAMS };

typedef struct {
    uint64_t key[STREAMS], count[STREAMS];
} Chance;

static inline uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    return x ^ (x >> 31);
}
static inline uint64_t hashed(uint64_t a, uint64_t b) {
    return mix(mix(a + GAMMA) + (b + 1) * GAMMA);
}
static inline int64_t game_seed(uint64_t seed, uint64_t index, uint64_t episode) {
    return (int64_t)(hashed(hashed(seed, index), episode) >> 1);
}
static inline int64_t reduced(uint64_t x, uint64_t bound) {
    uint64_t product = (x >> 32) * bound;
    if ((uint32_t)product < bound) {
        uint64_t threshold = (0x100000000ULL - bound) % bound;
        while ((uint32_t)product < threshold) {
            x = mix(x + GAMMA);
            product = (x >> 32) * bound;
        }
    }
    return (int64_t)(product >> 32);
}
static inline void seed_chance(Chance *c, int64_t seed) {
    for (int i = 0; i < STREAMS; i++) c->key[i] = hashed((uint64_t)seed, i);
}
static inline int below(Chance *c, int stream, int n) {
    uint64_t count = ++c->count[stream];
    return (int)reduced(mix(c->key[stream] + count * GAMMA), n);
}
static inline int roll(Chance *c, int stream, int sides) { return below(c, stream, sides) + 1; }

static inline int nth_set(const int8_t *mask, int size, uint64_t luck) {
    int count = 0;
    for (int a = 0; a < size; a++) count += mask[a] != 0;
    if (count == 0) return -1;
    int64_t skip = reduced(luck, count);
    int first = 0;
    for (; first + 16 <= size; first += 16) { /* whole blocks are counted faster than searched */
        int here = 0;
        for (int a = first; a < first + 16; a++) here += mask[a] != 0;
        if (skip < here) break;
        skip -= here;
    }
    for (int a = first; a < size; a++)
        if (mask[a] && skip-- == 0) return a;
    return -1;
}
#endif
