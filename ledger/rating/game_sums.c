/* The sums of a period's plain games: what by_numpy in game_sums.py does, game by game.
 *
 * game_sums.py says what the columns mean. Nothing is checked here: bounds.py lets only those columns
 * through with which no index leaves its column and no sum its type. Two steps, so that the first
 * answer need not wait for the second: which games are not plain, and the sums of all others.
 */

#include <stdint.h>

enum { UNRATED = 0, NOBODY = -1, NO_REASON = 0, NO_MERIT = -1 };
enum { AHEAD = 24 }; /* games: what they need is fetched while others are summed */

typedef struct {
    int64_t rows;
    const int32_t *white, *black, *tournament;
    const int8_t *white_halves, *black_halves, *reason;
} Games;

typedef struct {
    const int64_t *merit;
    const int32_t *cap, *capped_below, *apart_beyond;
    const int8_t *together;
    const int32_t *list_of;
} PlainGames;

typedef struct {
    int64_t per_k, games;
} Sum;

static int64_t least(int64_t one, int64_t other) { return one < other ? one : other; }

static int64_t within(int64_t difference, int64_t most)
{
    return difference < -most ? -most : least(difference, most);
}

static int is_excluded(const Games *games, int64_t row)
{
    return games->reason[row] != NO_REASON || games->black[row] == NOBODY;
}

/* Rated in the list the tournament began with, and at the start of the period. */
static int is_rated(int32_t player, const int32_t *in_force, const int32_t *rating)
{
    return (in_force[player] > UNRATED) & (rating[player] > UNRATED);
}

static int are_rated(const Games *games, int64_t row, const int32_t *in_force,
                     const int32_t *rating)
{
    return is_rated(games->white[row], in_force, rating) &&
           is_rated(games->black[row], in_force, rating);
}

/* Marks tournaments whose games are plain together, or, with somebody unrated in them, not; returns
 * whether there are any. */
static int find_mixed(const Games *games, const PlainGames *on, const int32_t *rating,
                      const int32_t *const *ratings, int8_t *mixed)
{
    int found = 0;
    for (int64_t row = 0; row < games->rows; row++) {
        int32_t which = games->tournament[row];
        if (on->together[which] && games->black[row] != NOBODY &&
            !are_rated(games, row, ratings[on->list_of[which]], rating))
            found = mixed[which] = 1;
    }
    return found;
}

/* Writes the rows of games that are not plain but can matter, ascending; returns how many they are.
 * mixed has a place for every tournament; it comes as zeros and is left so.
 */
int64_t find_others(const Games *games, const PlainGames *on, const int32_t *rating,
                    const int32_t *const *ratings, int8_t *mixed, int32_t *others)
{
    int64_t left = 0;
    int any_mixed = find_mixed(games, on, rating, ratings, mixed);
    for (int64_t row = 0; row < games->rows; row++) {
        int32_t which = games->tournament[row];
        if (is_excluded(games, row)) {
            if (on->together[which])
                others[left++] = (int32_t)row;
            continue;
        }
        const int32_t *in_force = ratings[on->list_of[which]];
        int64_t ahead = (int64_t)in_force[games->white[row]] - in_force[games->black[row]];
        if (on->merit[which] == NO_MERIT || mixed[which] ||
            !are_rated(games, row, in_force, rating) || ahead > on->apart_beyond[which] ||
            -ahead > on->apart_beyond[which])
            others[left++] = (int32_t)row;
    }
    for (int64_t row = 0; any_mixed && row < games->rows; row++)
        mixed[games->tournament[row]] = 0;
    return left;
}

/* Sums all games but the others and those that are excluded. Who played comes back in players, with
 * what CM * (W - P(D)) came to for him and how many games he had; returns how many they are.
 * at_work has a place for every player; it comes as zeros and is left so.
 */
int64_t sum_plain(const Games *games, const PlainGames *on, const int32_t *const *ratings,
                  const int32_t *others, int64_t left, const int64_t *expected, int64_t last,
                  int64_t half_point, Sum *at_work, int32_t *players, int64_t *per_k,
                  int64_t *count)
{
    int64_t touched = 0, passed = 0, rows = games->rows;
    int64_t next = left ? others[0] : rows;
    const int64_t *at = expected + last; /* at[D], for D from -last to last */
    for (int64_t row = 0; row < rows;) {
        /* What is the same for the games of a tournament, which stand together. */
        int32_t which = games->tournament[row];
        const int32_t *in_force = ratings[on->list_of[which]];
        int64_t cap = least(on->cap[which], last), capped_below = on->capped_below[which];
        int64_t merit = on->merit[which];
        for (; row < rows && games->tournament[row] == which; row++) {
            int64_t later = least(row + AHEAD, rows - 1);
            if (games->black[later] != NOBODY)
                __builtin_prefetch(at_work + games->black[later], 1);
            if (row == next) {
                passed++;
                next = passed < left ? others[passed] : rows;
                continue;
            }
            if (is_excluded(games, row))
                continue;
            int32_t white = games->white[row], black = games->black[row];
            int64_t own = in_force[white], opponent = in_force[black];
            int64_t most_of_white = own < capped_below ? cap : last;
            int64_t most_of_black = opponent < capped_below ? cap : last;
            int64_t white_less_expected = games->white_halves[row] * half_point -
                                   at[within(own - opponent, most_of_white)];
            int64_t black_less_expected = games->black_halves[row] * half_point -
                                   at[within(opponent - own, most_of_black)];
            players[touched] = white;
            touched += !at_work[white].games++;
            players[touched] = black;
            touched += !at_work[black].games++;
            at_work[white].per_k += merit * white_less_expected;
            at_work[black].per_k += merit * black_less_expected;
        }
    }
    for (int64_t place = 0; place < touched; place++) {
        Sum *made = at_work + players[place];
        per_k[place] = made->per_k;
        count[place] = made->games;
        made->per_k = made->games = 0;
    }
    return touched;
}
