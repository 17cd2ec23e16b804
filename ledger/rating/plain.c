/* The sums of a period's plain games: what by_numpy in plain.py does, game by game.
 *
 * plain.py says what the columns mean. at_work has a place for every player and mixed one for every
 * tournament; they come as zeros and are left so. Who played comes back in players, with his score
 * and games; the rows of the other games that can matter in others, how many they are in *apart.
 * Returns how many players there are.
 */

#include <stdint.h>

enum { AHEAD = 24 };
enum { UNRATED = 0, NOBODY = -1, NO_REASON = 0, NO_MERIT = -1 };

typedef struct {
    int64_t rows;
    const int32_t *white, *black, *tournament;
    const int8_t *white_halves, *black_halves, *reason;
} Games;

typedef struct {
    const int64_t *merit;
    const int32_t *cap, *capped_below, *apart_beyond;
    const int8_t *together;
    const int64_t *ratings_from;
} Conditions;

typedef struct {
    int64_t score, games;
} Sum;

static int64_t least(int64_t one, int64_t other) { return one < other ? one : other; }

/* Rated in the list the tournament began with, and at the start of the period. */
static int is_rated(int32_t player, const int32_t *in_force, const int32_t *rating)
{
    return (in_force[player] > UNRATED) & (rating[player] > UNRATED);
}

/* Of everybody in it, which is asked only where games are plain together. */
static void find_mixed(const Games *games, const Conditions *on, const int32_t *rating,
                       const int32_t *ratings, int8_t *mixed)
{
    for (int64_t row = 0; row < games->rows; row++) {
        int32_t which = games->tournament[row];
        if (!on->together[which] || games->black[row] == NOBODY)
            continue;
        const int32_t *in_force = ratings + on->ratings_from[which];
        if (!is_rated(games->white[row], in_force, rating) ||
            !is_rated(games->black[row], in_force, rating))
            mixed[which] = 1;
    }
}

int64_t sum_plain_games(const Games *games, const Conditions *on, const int32_t *rating,
                        const int32_t *ratings, const int64_t *expected, int64_t last,
                        int64_t half_point, Sum *at_work, int8_t *mixed, int32_t *players,
                        int64_t *score, int64_t *count, int32_t *others, int64_t *apart)
{
    int64_t touched = 0, left = 0;
    const int64_t *at = expected + last; /* at[D], for D from -last to last */
    find_mixed(games, on, rating, ratings, mixed);
    for (int64_t row = 0; row < games->rows;) {
        /* The games of a tournament stand together. */
        int32_t which = games->tournament[row];
        const int32_t *in_force = ratings + on->ratings_from[which];
        int64_t merit = on->merit[which], cap = least(on->cap[which], last);
        int64_t capped_below = on->capped_below[which], apart_beyond = on->apart_beyond[which];
        int all_apart = merit == NO_MERIT || mixed[which];
        for (; row < games->rows && games->tournament[row] == which; row++) {
            int32_t white = games->white[row], black = games->black[row];
            if (row + AHEAD < games->rows && games->black[row + AHEAD] != NOBODY) {
                __builtin_prefetch(in_force + games->black[row + AHEAD]);
                __builtin_prefetch(at_work + games->black[row + AHEAD], 1);
            }
            if (games->reason[row] != NO_REASON) {
                if (on->together[which])
                    others[left++] = (int32_t)row;
                continue;
            }
            if (all_apart) {
                others[left++] = (int32_t)row;
                continue;
            }
            int64_t own = in_force[white], opponent = in_force[black];
            int64_t ahead = own - opponent, apart_by = ahead < 0 ? -ahead : ahead;
            if (!is_rated(white, in_force, rating) || !is_rated(black, in_force, rating) ||
                apart_by > apart_beyond) {
                others[left++] = (int32_t)row;
                continue;
            }
            int64_t most_of_white = own < capped_below ? cap : last;
            int64_t most_of_black = opponent < capped_below ? cap : last;
            int64_t of_white = least(apart_by, most_of_white);
            int64_t of_black = least(apart_by, most_of_black);
            Sum *sum_of_white = at_work + white, *sum_of_black = at_work + black;
            players[touched] = white;
            touched += !sum_of_white->games++;
            players[touched] = black;
            touched += !sum_of_black->games++;
            sum_of_white->score += merit * (games->white_halves[row] * half_point -
                                            at[ahead < 0 ? -of_white : of_white]);
            sum_of_black->score += merit * (games->black_halves[row] * half_point -
                                            at[ahead < 0 ? of_black : -of_black]);
        }
    }
    for (int64_t row = 0; row < games->rows; row++)
        mixed[games->tournament[row]] = 0;
    for (int64_t place = 0; place < touched; place++) {
        Sum *made = at_work + players[place];
        score[place] = made->score;
        count[place] = made->games;
        made->score = made->games = 0;
    }
    *apart = left;
    return touched;
}
