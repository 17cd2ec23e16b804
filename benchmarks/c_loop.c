/* What peers.dictionary does: a month at a time with ENF's table, K by games, rounding once. */

#include <stdint.h>

enum { K = 15, K_NEW = 30, NEW_BELOW = 30 };

void enf(int64_t months, const int64_t *bounds, const int32_t *white, const int32_t *black,
         const int8_t *halves, int32_t last, const int32_t *expected, int32_t *rating,
         int32_t *played, int32_t *gains, int32_t *counts, int32_t *touched)
{
    for (int64_t month = 0; month < months; month++) {
        int32_t players = 0;
        for (int64_t game = bounds[month]; game < bounds[month + 1]; game++) {
            int32_t w = white[game], b = black[game];
            int32_t difference = rating[w] - rating[b];
            int32_t apart = difference < 0 ? -difference : difference;
            int32_t share = expected[apart < last ? apart : last];
            int32_t gain = halves[game] * 50 - (difference < 0 ? 100 - share : share);
            if (!counts[w]++)
                touched[players++] = w;
            if (!counts[b]++)
                touched[players++] = b;
            gains[w] += gain;
            gains[b] -= gain;
        }
        for (int32_t place = 0; place < players; place++) {
            int32_t player = touched[place], gain = gains[player];
            int32_t k = played[player] < NEW_BELOW ? K_NEW : K;
            int32_t points = (2 * k * (gain < 0 ? -gain : gain) + 100) / 200;
            rating[player] += gain < 0 ? -points : points;
            played[player] += counts[player];
            gains[player] = counts[player] = 0;
        }
    }
}
