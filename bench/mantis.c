/* Mantis without icons, for three or more players, uniform random play: the yardstick for the compiled Python rules.
   As fast as plain C gets here: everything in registers or one cache line or two, a card is drawn when it comes up
   (no shuffle of cards that are never seen), no division in a draw, fronts as constant data.
   Usage: mantis PLAYERS GAMES SEED; prints decisions and seconds. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COLOURS = 7, CARDS = 105, GOAL = 10, TANK_AT_START = 4, MOST_PLAYERS = 6 };

static uint8_t front[CARDS];
static uint8_t full_pile[CARDS];

static inline uint32_t draw(uint64_t *state, uint32_t n) {
    uint64_t product;
    uint32_t low;
    uint64_t x = *state;
    x ^= x << 13; x ^= x >> 7; x ^= x << 17;
    product = (x >> 32) * n;
    low = (uint32_t)product;
    if (low < n) {
        uint32_t unfair = -n % n;
        while (low < unfair) {
            x ^= x << 13; x ^= x >> 7; x ^= x << 17;
            product = (x >> 32) * n;
            low = (uint32_t)product;
        }
    }
    *state = x;
    return (uint32_t)(product >> 32);
}

static inline int next_card(uint64_t *state, uint8_t *pile, int *size) {
    int at = draw(state, *size);
    int last = --*size;
    uint8_t card = pile[at];
    pile[at] = pile[last];
    return card;
}

static int winners_total;

static int play(uint64_t *state, int players) {
    uint8_t pile[CARDS];
    uint8_t tank[MOST_PLAYERS][8];
    int score[MOST_PLAYERS];
    int size = CARDS, decisions = 0, me = 0;
    memcpy(pile, full_pile, CARDS);
    memset(tank, 0, sizeof tank);
    memset(score, 0, sizeof score);
    for (int seat = 0; seat < players; seat++)
        for (int i = 0; i < TANK_AT_START; i++) tank[seat][front[next_card(state, pile, &size)]]++;
    int top = next_card(state, pile, &size);
    for (;;) {
        int choice = draw(state, players); /* 0: score; k: steal from the k-th other seat */
        int colour = front[top];
        decisions++;
        top = size ? next_card(state, pile, &size) : -1;
        if (choice == 0) {
            int there = tank[me][colour];
            if (there) {
                tank[me][colour] = 0;
                score[me] += there + 1;
                if (score[me] >= GOAL) { winners_total += me; return decisions; }
            } else tank[me][colour] = 1;
        } else {
            int victim = choice - 1 + (choice - 1 >= me);
            int there = tank[victim][colour];
            if (there) {
                tank[victim][colour] = 0;
                tank[me][colour] += there + 1;
            } else tank[victim][colour] = 1;
        }
        if (top < 0) return decisions; /* who has most is not needed for the count */
        if (++me == players) me = 0;
    }
}

int main(int argc, char **argv) {
    if (argc != 4) { fprintf(stderr, "usage: mantis PLAYERS GAMES SEED\n"); return 2; }
    int players = atoi(argv[1]);
    long games = atol(argv[2]);
    uint64_t state = strtoull(argv[3], NULL, 10) * 0x9E3779B97F4A7C15ull + 1;
    for (int card = 0; card < CARDS; card++) { front[card] = card / 15; full_pile[card] = card; }
    struct timespec begin, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    long decisions = 0;
    for (long game = 0; game < games; game++) decisions += play(&state, players);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    double seconds = (end.tv_sec - begin.tv_sec) + (end.tv_nsec - begin.tv_nsec) * 1e-9;
    printf("%ld %.6f %d\n", decisions, seconds, winners_total);
    return 0;
}
