/* Café Race by hand in C: the same rules, luck, mask and flat observation as the library's kernel
 * rollout, for comparing speed.  Equal arguments give an equal checksum.
 *
 *     cafe_race DECISIONS SEED PLAYERS ADVANCED
 *
 * prints one line of JSON. */
#include "chance.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX = 6, TOKENS = 5, DIE = 6, FIRST_FINISH = 28, LAST_FINISH = 29, SPACES = 30 };
enum { IMPULSE, AUCTION, BID, END };
enum { FIRST_IMPULSE = 0, FIRST_AUCTION = 6, FIRST_BID = 12, PASS = 18, ACTIONS = 19 };
enum { BY_IMPULSE, BY_SPEED, BY_LEAD };

typedef struct {
    Chance chance;
    int32_t decisions;
    int8_t num_players, sides, to_act, truncated, reward;
    int16_t score_scale;
    int32_t round, max_turns;
    int8_t advanced, phase;
    int8_t position[MAX], coffee[MAX], secret[MAX], impulse[MAX], speed[MAX];
    int8_t last_impulse[MAX], last_speed[MAX], dice[MAX];
    int8_t num_dice, auctioneer, auctioned, high_bid, high_bidder, last_round;
} State;

/* Events are optional in the library; the check for them is part of the work. */
typedef struct {
    int rows;
    int32_t (*log)[12];
} Log;

static inline void emit(Log *l, int kind, int a, int b, int c, int d, int e) {
    if (l->rows > 0) {
        int row = ++l->log[0][0];
        l->log[row][0] = kind;
        l->log[row][1] = a;
        l->log[row][2] = b;
        l->log[row][3] = c;
        l->log[row][4] = d;
        l->log[row][5] = e;
    }
}

static void begin_choosing(State *s) {
    s->phase = IMPULSE;
    s->to_act = 0;
    s->auctioneer = s->high_bidder = -1;
}

static void begin_auction(State *s, int p) {
    s->phase = AUCTION;
    s->auctioneer = s->to_act = p;
    s->auctioned = s->high_bid = 0;
    s->high_bidder = -1;
}

static void roll_speed_dice(State *s) {
    s->num_dice = s->num_players;
    for (int i = 0; i < s->num_players; i++) {
        int value = roll(&s->chance, DICE, DIE), j = i;
        for (; j > 0 && s->dice[j - 1] < value; j--) s->dice[j] = s->dice[j - 1];
        s->dice[j] = value;
    }
}

static void start(State *s, int advanced) {
    s->advanced = advanced;
    s->max_turns = 200;
    s->score_scale = s->num_players + 4;
    for (int p = 0; p < s->num_players; p++) s->coffee[p] = TOKENS;
    roll_speed_dice(s);
    s->round = 1;
    if (advanced)
        begin_auction(s, below(&s->chance, DEALS, s->num_players));
    else
        begin_choosing(s);
}

static inline int precedence(const State *s, int p, int criteria) {
    int behind = LAST_FINISH - s->position[p], poorer = TOKENS - s->coffee[p];
    if (criteria == BY_IMPULSE) return (s->impulse[p] * 100 + behind) * 10 + poorer;
    if (criteria == BY_SPEED)
        return ((s->speed[p] * 10 + s->impulse[p]) * 100 + behind) * 10 + poorer;
    return s->position[p] * 10 + s->coffee[p];
}

static int first_of(State *s, int criteria, int left_out) {
    int best = -1, chosen = -1, level = 0;
    for (int p = 0; p < s->num_players; p++) {
        if (left_out >> p & 1) continue;
        int key = precedence(s, p, criteria);
        if (key > best)
            best = key, chosen = p, level = 1;
        else if (key == best)
            level++;
    }
    if (level == 1) return chosen;
    int skip = below(&s->chance, TIES, level), p = chosen;
    while (skip > 0) {
        p++;
        if (!(left_out >> p & 1) && precedence(s, p, criteria) == best) skip--;
    }
    return p;
}

static void begin_round(State *s, Log *log) {
    s->round++;
    for (int p = 0; p < s->num_players; p++) {
        s->last_impulse[p] = s->impulse[p];
        s->last_speed[p] = s->speed[p];
        s->impulse[p] = s->speed[p] = 0;
        if (s->coffee[p] == 0) {
            s->coffee[p] = TOKENS;
            s->position[p] = 0;
            emit(log, 7, p, 0, 0, 0, 0);
        }
    }
    roll_speed_dice(s);
    emit(log, 1, s->dice[0], s->dice[1], s->dice[2], s->dice[3], s->dice[4]);
    if (s->advanced) {
        int p = first_of(s, BY_LEAD, 0);
        emit(log, 4, p, 0, 0, 0, 0);
        begin_auction(s, p);
    } else
        begin_choosing(s);
}

static inline int is_step(int space) {
    return space < FIRST_FINISH && space % 10 >= 1 && space % 10 <= 7;
}

static inline int is_full(const State *s, int space) {
    int workers = 0;
    for (int p = 0; p < s->num_players; p++) workers += s->position[p] == space;
    return workers >= 2;
}

static void move_worker(State *s, int p, Log *log) {
    int before = s->position[p], at = before, left = s->speed[p];
    while (left > 0 && at < LAST_FINISH && !is_full(s, at + 1)) at++, left--;
    s->position[p] = at;
    int overshot = left > 0 && at == LAST_FINISH, barred = left > 0 && !overshot;
    emit(log, 5, p, before, at, barred, overshot);
    if (at >= FIRST_FINISH) s->last_round = 1;
    if (barred || overshot || is_step(at)) {
        int need = s->impulse[p] + s->speed[p];
        int first = roll(&s->chance, DICE, DIE), second = roll(&s->chance, DICE, DIE);
        if (first + second < need) s->coffee[p]--;
        emit(log, 6, p, first, second, need, first + second < need);
    }
}

static void end_game(State *s, int truncated) {
    s->phase = END;
    s->to_act = -1;
    s->truncated = truncated;
}

static void move_workers(State *s, Log *log) {
    int moved = 0;
    for (int i = 0; i < s->num_players; i++) {
        int p = first_of(s, BY_SPEED, moved);
        moved |= 1 << p;
        move_worker(s, p, log);
    }
    if (s->last_round)
        end_game(s, 0);
    else if (s->round >= s->max_turns)
        end_game(s, 1);
    else
        begin_round(s, log);
}

static void choose_impulse(State *s, int impulse, Log *log) {
    s->secret[s->to_act] = impulse;
    if (s->to_act + 1 < s->num_players) {
        s->to_act++;
        return;
    }
    for (int p = 0; p < s->num_players; p++) s->impulse[p] = s->secret[p], s->secret[p] = 0;
    int served = 0;
    for (int i = 0; i < s->num_players; i++) {
        int p = first_of(s, BY_IMPULSE, served);
        served |= 1 << p;
        s->speed[p] = s->dice[i];
        emit(log, 2, p, s->impulse[p], s->speed[p], 0, 0);
    }
    memset(s->dice, 0, sizeof s->dice);
    s->num_dice = 0;
    move_workers(s, log);
}

static int next_without_die(const State *s, int p) {
    do p = (p + 1) % s->num_players;
    while (s->speed[p] > 0);
    return p;
}

static void take_die(State *s, int p, int value, int impulse, Log *log) {
    s->speed[p] = value;
    s->impulse[p] = impulse;
    emit(log, 3, p, value, impulse, 0, 0);
    int i = 0;
    while (s->dice[i] != value) i++;
    for (s->num_dice--; i < s->num_dice; i++) s->dice[i] = s->dice[i + 1];
    s->dice[i] = 0;
}

static void sell(State *s, Log *log) {
    int winner = s->high_bidder;
    take_die(s, winner, s->auctioned, s->high_bid, log);
    if (s->num_dice == 1) {
        take_die(s, next_without_die(s, winner), s->dice[0], 1, log);
        s->auctioneer = s->high_bidder = -1;
        s->auctioned = s->high_bid = 0;
        move_workers(s, log);
        return;
    }
    int auctioneer = s->auctioneer;
    if (winner == auctioneer) {
        int having = 0;
        for (int p = 0; p < s->num_players; p++) having |= (s->speed[p] > 0) << p;
        auctioneer = first_of(s, BY_LEAD, having);
    }
    emit(log, 4, auctioneer, 0, 0, 0, 0);
    begin_auction(s, auctioneer);
}

static void bid(State *s, int amount, Log *log) {
    int p = s->to_act;
    if (amount > 0) s->high_bid = amount, s->high_bidder = p;
    int q = next_without_die(s, p);
    if (s->high_bid == DIE || q == s->auctioneer)
        sell(s, log);
    else
        s->to_act = q;
}

static void legal(const State *s, int8_t *mask) {
    if (s->phase == IMPULSE)
        for (int k = 0; k < DIE; k++) mask[FIRST_IMPULSE + k] = 1;
    else if (s->phase == AUCTION)
        for (int i = 0; i < s->num_dice; i++) mask[FIRST_AUCTION + s->dice[i] - 1] = 1;
    else if (s->phase == BID) {
        for (int k = s->high_bid; k < DIE; k++) mask[FIRST_BID + k] = 1;
        if (s->high_bidder >= 0) mask[PASS] = 1;
    }
}

static void apply(State *s, int action, Log *log) {
    if (s->phase == IMPULSE)
        choose_impulse(s, action - FIRST_IMPULSE + 1, log);
    else if (s->phase == AUCTION)
        s->auctioned = action - FIRST_AUCTION + 1, s->phase = BID;
    else
        bid(s, action == PASS ? 0 : action - FIRST_BID + 1, log);
}

/* The flat observation, version 1. */
enum { SPACE = 1, POSITION = 31, COFFEE = 32, IMPULSE_AT = 33, SPEED_AT = 39, LAST_IMPULSE = 45,
       LAST_SPEED = 51, TO_ACT = 57, AUCTIONEER = 58, HIGH_BIDDER = 59, PLAYER_SIZE = 60 };
enum { PHASE = 1, DICE_AT = 5, AUCTIONED = 11, HIGH_BID = 17, LAST_ROUND = 23, ROUNDS = 24,
       LENGTH = 25, REWARD = 26, COMMON_SIZE = 29 };
enum { FLAT = MAX * PLAYER_SIZE + COMMON_SIZE };

static void observe(const State *s, int seat, float *out) {
    memset(out, 0, FLAT * sizeof *out);
    for (int q = 0, p = seat; q < s->num_players; q++) {
        float *o = out + q * PLAYER_SIZE;
        o[0] = 1;
        o[SPACE + s->position[p]] = 1;
        o[POSITION] = s->position[p] * (1.0 / LAST_FINISH);
        o[COFFEE] = s->coffee[p] * (1.0 / TOKENS);
        int impulse = q == 0 && s->secret[p] > 0 ? s->secret[p] : s->impulse[p];
        if (impulse > 0) o[IMPULSE_AT + impulse - 1] = 1;
        if (s->speed[p] > 0) o[SPEED_AT + s->speed[p] - 1] = 1;
        if (s->last_impulse[p] > 0) o[LAST_IMPULSE + s->last_impulse[p] - 1] = 1;
        if (s->last_speed[p] > 0) o[LAST_SPEED + s->last_speed[p] - 1] = 1;
        o[TO_ACT] = s->to_act == p;
        o[AUCTIONEER] = s->auctioneer == p;
        o[HIGH_BIDDER] = s->high_bidder == p;
        p = p + 1 < s->num_players ? p + 1 : 0;
    }
    float *o = out + MAX * PLAYER_SIZE;
    o[0] = s->advanced;
    o[PHASE + s->phase] = 1;
    for (int i = 0; i < s->num_dice; i++) o[DICE_AT + s->dice[i] - 1] += 1.0 / DIE;
    if (s->auctioned > 0) o[AUCTIONED + s->auctioned - 1] = 1;
    if (s->high_bid > 0) o[HIGH_BID + s->high_bid - 1] = 1;
    o[LAST_ROUND] = s->last_round;
    o[ROUNDS] = (double)s->round / s->max_turns;
    o[LENGTH] = 1.0 / s->max_turns;
    o[REWARD + s->reward] = 1;
}

static int place(const State *s, int p) {
    int result = 1;
    for (int q = 0; q < s->num_players; q++)
        if (s->position[q] > s->position[p]) {
            int counted = 0;
            for (int r = 0; r < q; r++) counted |= s->position[r] == s->position[q];
            result += !counted;
        }
    return result;
}

static void conclude(const State *s, int *scores, int *ranks, float *rewards) {
    int n = s->num_players, winners = 0;
    for (int p = 0; p < n; p++) scores[p] = s->coffee[p] + n - place(s, p) + 1;
    for (int p = 0; p < n; p++) {
        ranks[p] = 1;
        for (int q = 0; q < n; q++)
            ranks[p] += scores[q] > scores[p]
                        || (scores[q] == scores[p] && s->coffee[q] > s->coffee[p]);
    }
    for (int p = 0; p < n; p++) winners += ranks[p] == 1;
    for (int p = 0; p < n; p++)
        rewards[p] = ranks[p] == 1 ? (double)n / (n - 1) * (1.0 / winners - 1.0 / n)
                                   : -1.0 / (n - 1);
}

int main(int argc, char **argv) {
    if (argc != 5) {
        fprintf(stderr, "usage: cafe_race DECISIONS SEED PLAYERS ADVANCED\n");
        return 2;
    }
    long decisions = atol(argv[1]), games = 0;
    int64_t seed = atoll(argv[2]);
    int players = atoi(argv[3]), advanced = atoi(argv[4]), fresh = 1;
    static State s;
    static float observation[FLAT], rewards[MAX];
    static int8_t mask[ACTIONS];
    static int scores[MAX], ranks[MAX];
    Log log = {0, NULL};
    double checksum = 0;
    uint64_t luck = hashed(seed, 0xC0FFEE);
    clock_t began = clock();
    for (long n = 0; n < decisions; n++) {
        if (fresh) {
            memset(&s, 0, sizeof s);
            seed_chance(&s.chance, game_seed(seed, 0, games));
            s.num_players = s.sides = players;
            start(&s, advanced);
            fresh = 0;
        }
        memset(mask, 0, sizeof mask);
        legal(&s, mask);
        observe(&s, s.to_act, observation);
        checksum += observation[n % FLAT];
        luck = mix(luck + 1);
        s.decisions++;
        apply(&s, nth_set(mask, ACTIONS, luck), &log);
        if (s.to_act < 0) {
            games++;
            fresh = 1;
            conclude(&s, scores, ranks, rewards);
            checksum += rewards[0];
        }
    }
    double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    printf("{\"decisions\": %ld, \"cpu_seconds\": %.6f, \"games\": %ld, \"checksum\": %.9f}\n",
           decisions, seconds, games, checksum);
    return 0;
}
