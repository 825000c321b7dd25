/* Dino Race by hand in C: the same rules, luck, mask and flat observation as the library's kernel
 * rollout, for comparing speed.  Equal arguments give an equal checksum.
 *
 *     dino_race DECISIONS SEED PLAYERS TEAMS SURVIVE MATCHES
 *
 * prints one line of JSON. */
#include "chance.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX = 8, MAX_SOLO = 4, DINOS = 2, TILES = 12, HOME = 12, LAST_TERRAIN = 11 };
enum { TERRAINS = 4, WILD = 4, PUSH, EGG, STEAL, KINDS, CARDS = 52 };
enum { TWO_CARDS = 5, ERUPTION = 6, FACES = 6 };
enum { PRIZES = 12, EGG_COUNTERS = 4, DROPS = 22, COLOUR_BONUS = 3 };
enum { PLAY, PAY, CHOOSE, GIVE, END };
enum { UNKNOWN, SEEN, OWN, PARTNERS };
enum { PLAY_PART, DIE_FALLS, EGG_ASKED, LAVA_FLOWS, TURN_OVER };
enum { PAIRS = 36, MOVES = 13, TARGETS = 10, OTHERS = 7, BY_WILD = 4, BY_THREE = 5 };
enum {
    FIRST_PUSH = DINOS * MOVES,
    FIRST_TRIP = FIRST_PUSH + TARGETS,
    FIRST_EGG = FIRST_TRIP + TARGETS,
    FIRST_STEAL = FIRST_EGG + OTHERS,
    FIRST_STAND = FIRST_STEAL + OTHERS,
    FIRST_PAY = FIRST_STAND + DINOS,
    FIRST_EXCHANGE = FIRST_PAY + PAIRS,
    FIRST_HAND = FIRST_EXCHANGE + PAIRS,
    ROLL = FIRST_HAND + KINDS,
    FIRST_PRIZE,
    FIRST_GIVE = FIRST_PRIZE + PRIZES,
    ACTIONS = FIRST_GIVE + OTHERS
};
enum { DIE_ROLLED = 1, DREW, DISCARDED, SHUFFLED, MOVED, BURNED, DROP, EGG_PASSED, STOLE, LAVA,
       CAME_HOME, EGG_SAFE, RACE_OVER, RACE_BEGINS };
enum { AT_RANDOM, BY_ERUPTION, AT_HOME };
enum { BY_CARD, BY_PUSH, BY_LAVA };

static const int8_t DECK[KINDS] = {8, 8, 8, 8, 8, 4, 4, 4};
static int8_t pair_first[PAIRS], pair_second[PAIRS];

typedef struct {
    Chance chance;
    int32_t decisions;
    int8_t num_players, sides, to_act, truncated, reward;
    int16_t score_scale;
    int32_t turn, max_turns, points[MAX];
    int16_t prize_values[PRIZES], egg_values[EGG_COUNTERS], egg_value;
    int8_t egg_safe, eggs_home[MAX];
    int8_t teams, survive, matches, race, starter, current, phase, passed, last_die;
    int8_t tiles[TILES], volcano_active, lava;
    int8_t position[MAX][DINOS], lying[MAX][DINOS];
    int8_t egg, drops[MAX], drop_supply;
    int8_t hands[MAX][KINDS], hand_size[MAX];
    int8_t pile[CARDS], pile_size, discards[KINDS], shuffled[KINDS];
    int8_t pile_limit[MAX][KINDS], known[MAX][MAX][KINDS], shown[MAX][MAX][KINDS];
    int8_t prize_left[PRIZES], num_prizes, prizes[MAX][DINOS], prizes_won[MAX];
    int8_t prize_known[MAX][PRIZES], since_look[MAX][MAX];
} State;

/* Events are optional in the library; the check for them is part of the work. */
typedef struct {
    int rows;
    int32_t (*log)[12];
} Log;

static inline void emit(Log *l, int kind, int a, int b, int c, int d) {
    if (l->rows > 0) {
        int row = ++l->log[0][0];
        l->log[row][0] = kind;
        l->log[row][1] = a;
        l->log[row][2] = b;
        l->log[row][3] = c;
        l->log[row][4] = d;
    }
}

static inline int after(const State *s, int p) { return p + 1 < s->num_players ? p + 1 : 0; }
static inline int dinos_each(const State *s) { return s->teams ? 1 : DINOS; }

static inline int seat_at(const State *s, int p, int steps) {
    int q = p + steps;
    return q < s->num_players ? q : q - s->num_players;
}

static inline int on_track(const State *s, int p) {
    return (s->position[p][0] < HOME) + (s->position[p][1] < HOME);
}

static inline int partner_of(const State *s, int p) {
    return s->teams ? seat_at(s, p, s->sides) : p;
}

static inline int same_side(const State *s, int p, int q) {
    return p == q || (s->teams && q == partner_of(s, p));
}

static void shuffle(State *s, int8_t *items, int count) {
    for (int i = count - 1; i > 0; i--) {
        int j = below(&s->chance, DEALS, i + 1);
        int8_t kept = items[i];
        items[i] = items[j];
        items[j] = kept;
    }
}

/* Who knows which cards: known[p][q] is what p knows q to hold, shown[q][p] the same. */
static inline void seen_leaving(State *s, int p, int kind, int count) {
    for (int q = 0; q < s->num_players; q++) {
        int rest = s->shown[p][q][kind];
        if (rest == 0) continue;
        rest = rest > count ? rest - count : 0;
        s->shown[p][q][kind] = s->known[q][p][kind] = rest;
    }
}

static void seen_empty(State *s, int p) {
    memset(s->shown[p], 0, sizeof s->shown[p]);
    for (int q = 0; q < s->num_players; q++) memset(s->known[q][p], 0, KINDS);
}

static void handed_over(State *s, int giver, int taker, int kind) {
    for (int q = 0; q < s->num_players; q++)
        for (int k = 0; k < KINDS; k++)
            if (s->shown[giver][q][k] > 0 && (q != taker || k == kind)) {
                s->shown[giver][q][k]--;
                s->known[q][giver][k]--;
            }
    s->shown[taker][giver][kind]++;
    s->known[giver][taker][kind]++;
}

/* Cards: dealing, drawing, discarding, and from hand to hand. */
static void make_pile(State *s, const int8_t *counts) {
    int total = 0;
    for (int kind = 0; kind < KINDS; kind++) total += counts[kind];
    int8_t *card = s->pile + CARDS - total;
    for (int kind = 0; kind < KINDS; kind++) {
        s->shuffled[kind] = counts[kind];
        for (int i = 0; i < counts[kind]; i++) *card++ = kind;
    }
    memset(s->discards, 0, sizeof s->discards);
    shuffle(s, s->pile + CARDS - total, total);
    s->pile_size = total;
    for (int p = 0; p < s->num_players; p++)
        memcpy(s->pile_limit[p], s->shuffled, sizeof s->shuffled);
}

static int take_top_card(State *s, int p) {
    int top = CARDS - s->pile_size--, kind = s->pile[top];
    s->pile[top] = -1;
    s->hands[p][kind]++;
    s->hand_size[p]++;
    s->pile_limit[p][kind]--;
    return kind;
}

static void deal_cards(State *s, int starter) {
    make_pile(s, DECK);
    memset(s->hands, 0, sizeof s->hands);
    memset(s->hand_size, 0, sizeof s->hand_size);
    memset(s->known, 0, sizeof s->known);
    memset(s->shown, 0, sizeof s->shown);
    int each = s->teams ? 4 : 5;
    for (int i = 0, p = starter; i < s->num_players; i++, p = after(s, p))
        for (int k = 0; k < each; k++) take_top_card(s, p);
}

static void draw(State *s, int p, int count, Log *log) {
    for (int i = 0; i < count; i++) {
        if (s->pile_size == 0) {
            int8_t counts[KINDS];
            int any = 0;
            memcpy(counts, s->discards, sizeof counts);
            for (int kind = 0; kind < KINDS; kind++) any |= counts[kind];
            if (!any) return;
            make_pile(s, counts);
            emit(log, SHUFFLED, 0, 0, 0, 0);
        }
        int kind = take_top_card(s, p);
        emit(log, DREW, p, kind, 0, 0);
    }
}

static void discard(State *s, int p, int kind, int count) {
    s->hands[p][kind] -= count;
    s->hand_size[p] -= count;
    s->discards[kind] += count;
    seen_leaving(s, p, kind, count);
}

static int random_card(State *s, int p) {
    int skip = below(&s->chance, TIES, s->hand_size[p]), kind = 0;
    while (skip >= s->hands[p][kind]) skip -= s->hands[p][kind++];
    return kind;
}

static void discard_at_random(State *s, int p, Log *log) {
    if (s->hand_size[p] == 0) return;
    int kind = random_card(s, p);
    discard(s, p, kind, 1);
    emit(log, DISCARDED, p, kind, AT_RANDOM, 0);
}

static void discard_hand(State *s, int p, int why, Log *log) {
    for (int kind = 0; kind < KINDS; kind++) {
        int count = s->hands[p][kind];
        s->hands[p][kind] = 0;
        s->discards[kind] += count;
        if (log->rows > 0)
            for (int i = 0; i < count; i++) emit(log, DISCARDED, p, kind, why, 0);
    }
    s->hand_size[p] = 0;
    seen_empty(s, p);
}

static void move_card(State *s, int giver, int taker, int kind) {
    s->hands[giver][kind]--;
    s->hand_size[giver]--;
    s->hands[taker][kind]++;
    s->hand_size[taker]++;
    handed_over(s, giver, taker, kind);
}

/* Scores. */
static inline int is_side_home(const State *s, int p) {
    return on_track(s, p) == 0 && (!s->teams || on_track(s, partner_of(s, p)) == 0);
}

static inline int has_egg_safe(const State *s, int p) {
    return s->egg_safe && same_side(s, s->egg, p);
}

static int race_score(const State *s, int p) {
    if (s->survive) return is_side_home(s, p);
    int score = has_egg_safe(s, p) ? s->egg_value : 0, won = 0, red = 0, q = p;
    for (int i = 0; i < (s->teams ? 2 : 1); i++, q = partner_of(s, p)) {
        score -= s->drops[q];
        for (int k = 0; k < s->prizes_won[q]; k++, won++) {
            score += s->prize_values[s->prizes[q][k]];
            red += s->prizes[q][k] % 2;
        }
    }
    return won == 2 && red != 1 ? score + COLOUR_BONUS : score;
}

/* Set-up. */
static void lay_out_prizes(State *s) {
    s->num_prizes = s->survive ? 0 : s->num_players * dinos_each(s);
    memset(s->prizes_won, 0, sizeof s->prizes_won);
    memset(s->prizes, -1, sizeof s->prizes[0] * s->num_players);
    memset(s->since_look, 0, sizeof s->since_look);
    memset(s->prize_known, 0, sizeof s->prize_known);
    for (int i = 0; i < PRIZES; i++) s->prize_left[i] = i < s->num_prizes;
    if (!s->survive) shuffle(s, s->prize_left, PRIZES);
}

static void set_up_race(State *s, int starter) {
    s->volcano_active = s->lava = s->last_die = s->egg_safe = 0;
    s->egg_value = 0;
    s->drop_supply = s->survive ? 0 : DROPS;
    for (int i = 0; i < TILES; i++) s->tiles[i] = i % TERRAINS;
    shuffle(s, s->tiles, TILES);
    memset(s->position, HOME, sizeof s->position);
    memset(s->lying, 0, sizeof s->lying);
    memset(s->drops, 0, sizeof s->drops);
    for (int p = 0; p < s->num_players; p++) {
        s->position[p][0] = s->teams && p >= s->sides ? 2 : 1;
        if (!s->teams) s->position[p][1] = 2;
    }
    deal_cards(s, starter);
    lay_out_prizes(s);
    s->current = s->egg = s->to_act = starter;
    s->passed = 0;
    s->phase = PLAY;
    Log none = {0, NULL};
    draw(s, starter, on_track(s, starter), &none);
}

static void start(State *s, int teams, int survive, int matches) {
    s->teams = teams;
    s->survive = survive;
    s->matches = matches;
    s->max_turns = 500;
    for (int i = 0; i < PRIZES; i++) s->prize_values[i] = 1 + i;
    for (int i = 0; i < EGG_COUNTERS; i++) s->egg_values[i] = 5 + i;
    if (teams) s->sides = s->num_players / 2;
    s->score_scale = survive ? 1 : 10;
    s->race = s->turn = 1;
    s->starter = below(&s->chance, DEALS, s->num_players);
    set_up_race(s, s->starter);
}

/* Playing. */
static void take_drop(State *s, int p, Log *log) {
    if (s->drop_supply == 0) return;
    s->drop_supply--;
    s->drops[p]++;
    emit(log, DROP, p, 0, 0, 0);
}

static void give_egg(State *s, int p, int q, Log *log) {
    s->egg = q;
    emit(log, EGG_PASSED, p, q, 0, 0);
}

static void arrive(State *s, int p, int d, Log *log) {
    s->lying[p][d] = 0;
    emit(log, CAME_HOME, p, d, 0, 0);
    if (on_track(s, p) > 0) return;
    discard_hand(s, p, AT_HOME, log);
    int partner = partner_of(s, p);
    if (s->egg == p && on_track(s, partner) > 0) give_egg(s, p, partner, log);
}

static int move_by_card(State *s, int p, int d, int way, Log *log) {
    int by_three = way >= BY_THREE;
    discard(s, p, by_three ? way - BY_THREE : way, by_three ? 3 : 1);
    int at = ++s->position[p][d];
    emit(log, MOVED, p, d, at, BY_CARD);
    if (at < HOME) return 0;
    arrive(s, p, d, log);
    return 1;
}

static void push_back(State *s, int q, int d, Log *log) {
    int behind = s->position[q][d] - 1;
    if (s->volcano_active && behind <= s->lava) {
        emit(log, BURNED, q, d, 0, 0);
        take_drop(s, q, log);
        discard_at_random(s, q, log);
    } else {
        s->position[q][d] = behind;
        emit(log, MOVED, q, d, behind, BY_PUSH);
    }
}

static void play_special(State *s, int p, int action, Log *log) {
    if (action >= FIRST_STEAL) {
        discard(s, p, STEAL, 1);
        int q = seat_at(s, p, action - FIRST_STEAL + 1), kind = random_card(s, q);
        move_card(s, q, p, kind);
        emit(log, STOLE, p, q, kind, 0);
        return;
    }
    discard(s, p, action >= FIRST_TRIP ? EGG : PUSH, 1);
    if (action >= FIRST_EGG) {
        give_egg(s, p, seat_at(s, p, action - FIRST_EGG + 1), log);
        return;
    }
    int trip = action >= FIRST_TRIP, target = action - (trip ? FIRST_TRIP : FIRST_PUSH);
    int solo = target < 2 * MAX_SOLO - 2;
    int q = seat_at(s, p, solo ? 1 + target / 2 : target - 2), d = solo ? target % 2 : 0;
    if (trip)
        s->lying[q][d] = 1;
    else
        push_back(s, q, d, log);
}

/* The event die. */
static int must_give(State *s, Log *log) {
    int p = s->egg;
    discard_hand(s, p, BY_ERUPTION, log);
    take_drop(s, p, log);
    for (int steps = 1; steps < s->num_players; steps++)
        if (on_track(s, seat_at(s, p, steps)) > 0) {
            s->phase = GIVE;
            s->to_act = p;
            return 1;
        }
    return 0;
}

static int drawn_by_die(const State *s, int p, int face) {
    if (face == TWO_CARDS) return on_track(s, p) > 0 ? dinos_each(s) : 0;
    int count = 0;
    for (int d = 0; d < DINOS; d++) {
        int at = s->position[p][d];
        count += at > 0 && at < HOME && s->tiles[at - 1] == face - 1;
    }
    return count;
}

static int roll_die(State *s, Log *log) {
    int face = s->last_die = roll(&s->chance, DICE, FACES);
    emit(log, DIE_ROLLED, s->current, face, 0, 0);
    if (face == ERUPTION) return must_give(s, log) ? EGG_ASKED : LAVA_FLOWS;
    for (int i = 0, p = s->current; i < s->num_players; i++, p = after(s, p))
        draw(s, p, drawn_by_die(s, p, face), log);
    return TURN_OVER;
}

static void erupt(State *s, Log *log) {
    int fled = 0, turned = s->lava += s->volcano_active;
    s->volcano_active = 1;
    emit(log, LAVA, turned, 0, 0, 0);
    for (int i = 0, p = s->current; i < s->num_players; i++, p = after(s, p))
        for (int d = 0; d < DINOS; d++)
            if (s->position[p][d] == turned) {
                fled |= 1 << (p * DINOS + d);
                s->position[p][d] = turned + 1;
                emit(log, MOVED, p, d, turned + 1, BY_LAVA);
                discard_at_random(s, p, log);
                take_drop(s, p, log);
            }
    if (turned < LAST_TERRAIN) return;
    for (int i = 0, p = s->current; i < s->num_players; i++, p = after(s, p))
        for (int d = 0; d < DINOS; d++)
            if (fled >> (p * DINOS + d) & 1) arrive(s, p, d, log);
}

/* Prize counters. */
static void look_at_prizes(State *s, int p) {
    int partner = partner_of(s, p);
    for (int i = 0, q = p; i < (s->teams ? 2 : 1); i++, q = partner) {
        int8_t *known = s->prize_known[q];
        memset(s->since_look[q], 0, sizeof s->since_look[q]);
        for (int k = 0; k < PRIZES; k++) known[k] = s->prize_left[k] ? SEEN : UNKNOWN;
        for (int k = 0; k < s->prizes_won[q]; k++) known[s->prizes[q][k]] = OWN;
        if (s->teams) {
            int other = partner_of(s, q);
            for (int k = 0; k < s->prizes_won[other]; k++) known[s->prizes[other][k]] = PARTNERS;
        }
    }
}

static int ask_for_prize(State *s) {
    if (s->survive) return 0;
    for (int i = 0, p = s->current; i < s->num_players; i++, p = after(s, p))
        if (dinos_each(s) - on_track(s, p) - s->prizes_won[p] > 0) {
            s->phase = CHOOSE;
            s->to_act = p;
            look_at_prizes(s, p);
            return 1;
        }
    return 0;
}

static void take_prize(State *s, int p, int prize) {
    s->prize_left[prize] = 0;
    s->num_prizes--;
    s->prizes[p][s->prizes_won[p]++] = prize;
    for (int q = 0; q < s->num_players; q++) {
        if (same_side(s, p, q))
            s->prize_known[q][prize] = q == p ? OWN : PARTNERS;
        else
            s->since_look[q][p]++;
    }
}

/* Turns, races, the end. */
static void begin_turn(State *s, int p, Log *log) {
    s->current = p;
    s->turn++;
    s->passed = 0;
    draw(s, p, on_track(s, p), log);
}

static int is_race_over(const State *s) {
    if (!s->survive) return is_side_home(s, s->egg);
    for (int side = 0; side < s->sides; side++)
        if (is_side_home(s, side)) return 1;
    return 0;
}

static void end_game(State *s, int truncated) {
    s->phase = END;
    s->to_act = -1;
    s->truncated = truncated;
}

static void begin_second_race(State *s, Log *log) {
    for (int p = 0; p < s->num_players; p++) {
        s->points[p] = race_score(s, p);
        s->eggs_home[p] = has_egg_safe(s, p);
    }
    int starter = after(s, s->starter);
    s->race++;
    s->turn++;
    set_up_race(s, starter);
    emit(log, RACE_BEGINS, s->race, starter, 0, 0);
}

static void end_race(State *s, Log *log) {
    if (!s->survive) {
        s->egg_safe = 1;
        s->egg_value = s->egg_values[below(&s->chance, DEALS, EGG_COUNTERS)];
        emit(log, EGG_SAFE, s->egg, s->egg_value, 0, 0);
    }
    if (s->matches > 1 && log->rows > 0) {
        int row = ++log->log[0][0];
        log->log[row][0] = RACE_OVER;
        for (int p = 0; p < MAX; p++)
            log->log[row][1 + p] = p < s->num_players ? race_score(s, p) : 0;
    }
    if (s->race == s->matches)
        end_game(s, 0);
    else if (s->turn >= s->max_turns)
        end_game(s, 1);
    else
        begin_second_race(s, log);
}

static void settle(State *s, int part, Log *log) {
    for (;;) {
        if (part == DIE_FALLS) part = roll_die(s, log);
        if (part == EGG_ASKED) return;
        if (part == LAVA_FLOWS) {
            erupt(s, log);
            part = TURN_OVER;
        }
        if (ask_for_prize(s)) return;
        if (is_race_over(s)) {
            end_race(s, log);
            return;
        }
        if (part == TURN_OVER) {
            if (s->turn >= s->max_turns) {
                end_game(s, 1);
                return;
            }
            begin_turn(s, after(s, s->current), log);
        }
        if (on_track(s, s->current) > 0) {
            s->phase = PLAY;
            s->to_act = s->current;
            return;
        }
        part = DIE_FALLS;
    }
}

static void apply(State *s, int action, Log *log) {
    int p = s->to_act;
    if (action >= FIRST_GIVE) {
        give_egg(s, p, seat_at(s, p, action - FIRST_GIVE + 1), log);
        settle(s, LAVA_FLOWS, log);
    } else if (action >= FIRST_PRIZE) {
        take_prize(s, p, action - FIRST_PRIZE);
        settle(s, PLAY_PART, log);
    } else if (action == ROLL) {
        settle(s, DIE_FALLS, log);
    } else if (action >= FIRST_HAND) {
        move_card(s, p, partner_of(s, p), action - FIRST_HAND);
        s->passed = 1;
    } else if (action >= FIRST_PAY) {
        int pair = (action - FIRST_PAY) % PAIRS;
        discard(s, p, pair_first[pair], 1);
        discard(s, p, pair_second[pair], 1);
        s->phase = PLAY;
        if (action >= FIRST_EXCHANGE) draw(s, p, 1, log);
    } else if (action >= FIRST_STAND) {
        s->lying[p][action - FIRST_STAND] = 0;
        s->phase = PAY;
    } else if (action >= FIRST_PUSH) {
        play_special(s, p, action, log);
    } else if (move_by_card(s, p, action / MOVES, action % MOVES, log)) {
        settle(s, PLAY_PART, log);
    }
}

/* Legal actions. */
static void mark_specials(const State *s, int p, int8_t *mask) {
    const int8_t *hand = s->hands[p], *own = s->position[p];
    for (int steps = 1; steps < s->num_players; steps++) {
        if (s->teams && steps == s->sides) continue;
        int q = seat_at(s, p, steps), meets = 0;
        for (int d = 0; d < DINOS; d++) {
            int at = s->position[q][d];
            if (at < HOME && (at == own[0] || at == own[1])) {
                int target = steps < MAX_SOLO ? 2 * steps - 2 + d : steps + 2;
                meets = 1;
                mask[FIRST_PUSH + target] = hand[PUSH] > 0 && at > 0;
                mask[FIRST_TRIP + target] = hand[EGG] > 0 && s->egg != p && !s->lying[q][d];
            }
        }
        if (meets) {
            mask[FIRST_EGG + steps - 1] = hand[EGG] > 0 && s->egg == p;
            mask[FIRST_STEAL + steps - 1] = hand[STEAL] > 0 && s->hand_size[q] > 0;
        }
    }
}

static void mark_play(const State *s, int p, int8_t *mask) {
    const int8_t *hand = s->hands[p];
    mask[ROLL] = 1;
    for (int d = 0; d < DINOS; d++) {
        int at = s->position[p][d];
        if (at == HOME) continue;
        if (s->lying[p][d]) {
            mask[FIRST_STAND + d] = s->hand_size[p] >= 2;
            continue;
        }
        int8_t *move = mask + d * MOVES;
        move[s->tiles[at]] = hand[s->tiles[at]] > 0;
        move[BY_WILD] = hand[WILD] > 0;
        for (int kind = 0; kind < KINDS; kind++) move[BY_THREE + kind] = hand[kind] >= 3;
    }
    if (hand[PUSH] || hand[EGG] || hand[STEAL]) mark_specials(s, p, mask);
    if (s->teams && !s->passed && on_track(s, partner_of(s, p)) > 0)
        for (int kind = 0; kind < KINDS; kind++) mask[FIRST_HAND + kind] = hand[kind] > 0;
}

static void mark_pairs(const State *s, int p, int8_t *mask) {
    const int8_t *hand = s->hands[p];
    for (int a = 0; a < KINDS; mask += KINDS - a++)
        if (hand[a] > 0) {
            mask[0] = hand[a] >= 2;
            for (int b = a + 1; b < KINDS; b++) mask[b - a] = hand[b] > 0;
        }
}

static void legal(const State *s, int8_t *mask) {
    int p = s->to_act;
    if (s->phase == PLAY) {
        mark_play(s, p, mask);
        mark_pairs(s, p, mask + FIRST_EXCHANGE);
    } else if (s->phase == PAY) {
        mark_pairs(s, p, mask + FIRST_PAY);
    } else if (s->phase == CHOOSE) {
        for (int i = 0; i < PRIZES; i++) mask[FIRST_PRIZE + i] = s->prize_known[p][i] == SEEN;
    } else if (s->phase == GIVE) {
        for (int q = 1; q < s->num_players; q++)
            mask[FIRST_GIVE + q - 1] = on_track(s, seat_at(s, p, q)) > 0;
    }
}

/* The flat observation, version 1. */
enum { CARDS_IN_HAND = 1, HAS_EGG, TO_ACT, CURRENT, STARTER, PARTNER, WON, SINCE_LOOK, TAKEN_DROPS,
       POINTS, EGGS_HOME, KNOWN, SHOWN = KNOWN + KINDS, PLAYER_SIZE = SHOWN + KINDS };
enum { LYING = HOME + 1, BESIDE, DINO_SIZE, TILE_SIZE = TERRAINS + 1, CARD_SIZE = 3,
       PRIZE_SIZE = 4 };
enum { PHASE = 4, LAST_DIE = 9, PASSED = 15, VOLCANO, LAVA_AT, PILE_SIZE, DROP_SUPPLY, NUM_PRIZES,
       EGG_VALUES, EGG_IS_SAFE = EGG_VALUES + EGG_COUNTERS, EGG_VALUE, TURN, LENGTH, TRUNCATED,
       REWARD, AHEAD = REWARD + 3, COMMON_SIZE = AHEAD + DINOS * TERRAINS };
enum {
    DINOS_AT = MAX * PLAYER_SIZE,
    TILES_AT = DINOS_AT + (DINOS + TARGETS) * DINO_SIZE,
    CARDS_AT = TILES_AT + TILES * TILE_SIZE,
    PRIZES_AT = CARDS_AT + KINDS * CARD_SIZE,
    COMMON_AT = PRIZES_AT + PRIZES * PRIZE_SIZE,
    FLAT = COMMON_AT + COMMON_SIZE
};
enum { LARGEST_VALUE = 1000, HALF_HAND = 8, HALF_VALUE = 12 };
static float hand_shares[CARDS + 1], value_shares[LARGEST_VALUE + 1];

static void make_tables(void) {
    for (int n = 0; n <= CARDS; n++) hand_shares[n] = (double)n / (n + HALF_HAND);
    for (int v = 0; v <= LARGEST_VALUE; v++) value_shares[v] = (double)v / (v + HALF_VALUE);
    for (int a = 0, pair = 0; a < KINDS; a++)
        for (int b = a; b < KINDS; b++, pair++) pair_first[pair] = a, pair_second[pair] = b;
}

static void observe_player(const State *s, int seat, int q, float *o) {
    int p = seat_at(s, seat, q);
    o[0] = 1;
    o[CARDS_IN_HAND] = hand_shares[s->hand_size[p]];
    o[HAS_EGG] = s->egg == p;
    o[TO_ACT] = s->to_act == p;
    o[CURRENT] = s->current == p;
    o[STARTER] = s->starter == p;
    o[PARTNER] = s->teams && q == s->sides;
    o[WON] = s->prizes_won[p] * 0.5f;
    o[SINCE_LOOK] = s->since_look[seat][p] * 0.5f;
    o[TAKEN_DROPS] = s->drops[p] * (1.0 / DROPS);
    if (s->race > 1) {
        o[POINTS] = (double)s->points[p] / (abs(s->points[p]) + HALF_VALUE);
        o[EGGS_HOME] = s->eggs_home[p];
    }
    const int8_t *known = q == 0 ? s->hands[p] : s->known[seat][p];
    for (int kind = 0; kind < KINDS; kind++) o[KNOWN + kind] = known[kind] * 0.125f;
    if (q > 0)
        for (int kind = 0; kind < KINDS; kind++)
            o[SHOWN + kind] = s->shown[seat][p][kind] * 0.125f;
}

static void observe_common(const State *s, int seat, float *o) {
    o[0] = s->teams;
    o[1] = s->survive;
    o[2] = s->matches - 1;
    o[3] = s->race - 1;
    o[PHASE + s->phase] = 1;
    if (s->last_die > 0) o[LAST_DIE + s->last_die - 1] = 1;
    o[PASSED] = s->passed;
    o[VOLCANO] = s->volcano_active;
    o[LAVA_AT] = s->lava * (1.0 / TILES);
    o[PILE_SIZE] = s->pile_size * (1.0 / CARDS);
    o[DROP_SUPPLY] = s->drop_supply * (1.0 / DROPS);
    o[NUM_PRIZES] = s->num_prizes * 0.125f;
    for (int i = 0; i < EGG_COUNTERS; i++) o[EGG_VALUES + i] = value_shares[s->egg_values[i]];
    o[EGG_IS_SAFE] = s->egg_safe;
    o[EGG_VALUE] = value_shares[s->egg_value];
    double per_turn = 1.0 / s->max_turns;
    o[TURN] = s->turn * per_turn;
    o[LENGTH] = per_turn;
    o[TRUNCATED] = s->truncated;
    o[REWARD + s->reward] = 1;
    for (int d = 0; d < DINOS; d++) {
        int at = s->position[seat][d];
        if (at < HOME) o[AHEAD + d * TERRAINS + s->tiles[at]] = 1;
    }
}

static void observe(const State *s, int seat, float *out) {
    const int8_t *own = s->position[seat];
    memset(out, 0, FLAT * sizeof *out);
    for (int q = 0; q < s->num_players; q++) observe_player(s, seat, q, out + q * PLAYER_SIZE);
    for (int q = 0; q < s->num_players; q++) {
        int p = seat_at(s, seat, q);
        float *o = out + DINOS_AT + (q < MAX_SOLO ? DINOS * q : q + MAX_SOLO) * DINO_SIZE;
        for (int d = 0; d < dinos_each(s); d++, o += DINO_SIZE) {
            int at = s->position[p][d];
            o[at] = 1;
            o[LYING] = s->lying[p][d];
            o[BESIDE] = at < HOME && (at == own[0] || at == own[1]);
        }
    }
    for (int i = 0; i < TILES; i++) {
        float *o = out + TILES_AT + i * TILE_SIZE;
        o[s->tiles[i]] = 1;
        o[TERRAINS] = i < s->lava;
    }
    for (int kind = 0; kind < KINDS; kind++) {
        float *o = out + CARDS_AT + kind * CARD_SIZE;
        o[0] = s->discards[kind] * 0.125f;
        o[1] = s->pile_limit[seat][kind] * 0.125f;
        o[2] = s->shuffled[kind] * 0.125f;
    }
    for (int i = 0; i < PRIZES; i++) {
        float *o = out + PRIZES_AT + i * PRIZE_SIZE;
        o[0] = value_shares[s->prize_values[i]];
        if (s->prize_known[seat][i] > 0) o[s->prize_known[seat][i]] = 1;
    }
    observe_common(s, seat, out + COMMON_AT);
}

static void conclude(const State *s, int *scores, int *ranks, float *rewards) {
    int n = s->num_players, sides = s->sides, winners = 0, eggs[MAX];
    for (int p = 0; p < n; p++) {
        scores[p] = s->points[p] + race_score(s, p);
        eggs[p] = s->eggs_home[p] + has_egg_safe(s, p);
    }
    for (int p = 0; p < n; p++) {
        ranks[p] = 1;
        for (int q = 0; q < sides; q++)
            ranks[p] += scores[q] > scores[p] || (scores[q] == scores[p] && eggs[q] > eggs[p]);
    }
    for (int p = 0; p < sides; p++) winners += ranks[p] == 1;
    for (int p = 0; p < n; p++)
        rewards[p] = ranks[p] == 1 ? (double)sides / (sides - 1) * (1.0 / winners - 1.0 / sides)
                                   : -1.0 / (sides - 1);
}

int main(int argc, char **argv) {
    if (argc != 7) {
        fprintf(stderr, "usage: dino_race DECISIONS SEED PLAYERS TEAMS SURVIVE MATCHES\n");
        return 2;
    }
    long decisions = atol(argv[1]), games = 0;
    int64_t seed = atoll(argv[2]);
    int players = atoi(argv[3]), teams = atoi(argv[4]), survive = atoi(argv[5]);
    int matches = atoi(argv[6]), fresh = 1;
    static State s;
    static float observation[FLAT], rewards[MAX];
    static int8_t mask[ACTIONS];
    static int scores[MAX], ranks[MAX];
    Log log = {0, NULL};
    double checksum = 0;
    uint64_t luck = hashed(seed, 0xC0FFEE);
    make_tables();
    clock_t began = clock();
    for (long n = 0; n < decisions; n++) {
        if (fresh) {
            memset(&s, 0, sizeof s);
            seed_chance(&s.chance, game_seed(seed, 0, games));
            s.num_players = s.sides = players;
            start(&s, teams, survive, matches);
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
