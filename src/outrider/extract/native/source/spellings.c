/* The links that are known as pages spell them: fingerprints in a table.
 *
 * A link is recognised without an object of Python for it. Nearly all links of a page end here, and most of the
 * time goes by until the processor has loaded the place of a link, so places are asked for some links ahead.
 *
 * A fingerprint is SipHash-1-3 with 128 bits and a secret key: pages cannot choose links that are taken for others.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "scan.h"

#define FIRST_PLACES 1024 /* a power of two, as all sizes of the table are */
#define AHEAD 16          /* links whose places are loaded at the same time */

struct fingerprint {
  uint64_t low; /* never 0, which is an empty place */
  uint64_t high;
};

struct spellings {
  struct fingerprint *table;
  uint64_t places;
  uint64_t count;
  uint64_t key[2];
};

struct href {
  const uint8_t *at;
  size_t length;
};

struct sip {
  uint64_t a, b, c, d;
};

static uint64_t turned(uint64_t value, unsigned by) { return value << by | value >> (64 - by); }

static void sip_round(struct sip *s) {
  s->a += s->b, s->b = turned(s->b, 13) ^ s->a, s->a = turned(s->a, 32);
  s->c += s->d, s->d = turned(s->d, 16) ^ s->c;
  s->a += s->d, s->d = turned(s->d, 21) ^ s->a;
  s->c += s->b, s->b = turned(s->b, 17) ^ s->c, s->c = turned(s->c, 32);
}

static void sip_word(struct sip *s, uint64_t word) {
  s->d ^= word;
  sip_round(s);
  s->a ^= word;
}

static uint64_t sip_end(struct sip *s) {
  sip_round(s);
  sip_round(s);
  sip_round(s);
  return s->a ^ s->b ^ s->c ^ s->d;
}

static struct fingerprint fingerprint_of(const struct spellings *known, uint64_t place, struct href href) {
  struct sip s = {known->key[0] ^ UINT64_C(0x736f6d6570736575), known->key[1] ^ UINT64_C(0x646f72616e646f6d) ^ 0xEE,
                  known->key[0] ^ UINT64_C(0x6c7967656e657261), known->key[1] ^ UINT64_C(0x7465646279746573)};
  const uint8_t *at = href.at, *end = at + href.length;
  uint64_t word;
  sip_word(&s, place);
  for (; end - at >= 8; at += 8) {
    memcpy(&word, at, 8);
    sip_word(&s, word);
  }
  word = 0;
  memcpy(&word, at, (size_t)(end - at));
  sip_word(&s, word);
  sip_word(&s, href.length);
  s.c ^= 0xEE;
  uint64_t low = sip_end(&s);
  s.b ^= 0xDD;
  return (struct fingerprint){low | 1, sip_end(&s)};
}

/* Where a fingerprint is, or the empty place where it belongs. */
static struct fingerprint *place_of(const struct spellings *known, struct fingerprint wanted) {
  uint64_t mask = known->places - 1, place = wanted.high & mask;
  while (known->table[place].low &&
         (known->table[place].low != wanted.low || known->table[place].high != wanted.high))
    place = (place + 1) & mask;
  return &known->table[place];
}

/* At most half of the places are taken, so that a search ends soon. */
static bool make_room(struct spellings *known) {
  if ((known->count + 1) * 2 <= known->places)
    return true;
  struct spellings larger = *known;
  larger.places = known->places * 2;
  larger.table = calloc(larger.places, sizeof *larger.table);
  if (larger.table == NULL)
    return false;
  for (uint64_t place = 0; place < known->places; place++)
    if (known->table[place].low)
      *place_of(&larger, known->table[place]) = known->table[place];
  free(known->table);
  *known = larger;
  return true;
}

static bool next_href(const uint8_t **at, const uint8_t *end, struct href *href) {
  const uint8_t *zero = *at < end ? memchr(*at, 0, (size_t)(end - *at)) : NULL;
  if (zero == NULL)
    return false;
  *href = (struct href){*at, (size_t)(zero - *at)};
  *at = zero + 1;
  return true;
}

struct spellings *outrider_spellings(uint64_t key, uint64_t more_key) {
  struct spellings *known = calloc(1, sizeof *known);
  if (known == NULL)
    return NULL;
  known->places = FIRST_PLACES;
  known->key[0] = key;
  known->key[1] = more_key;
  known->table = calloc(known->places, sizeof *known->table);
  if (known->table == NULL) {
    free(known);
    return NULL;
  }
  return known;
}

void outrider_free_spellings(struct spellings *known) {
  if (known == NULL)
    return;
  free(known->table);
  free(known);
}

int64_t outrider_recognise(struct spellings *known, const uint8_t *hrefs, int64_t length, uint64_t place) {
  const uint8_t *end = hrefs + length;
  struct href href;
  while (next_href(&hrefs, end, &href) && make_room(known)) {
    struct fingerprint added = fingerprint_of(known, place, href), *where = place_of(known, added);
    known->count += !where->low;
    *where = added;
  }
  return (int64_t)known->count;
}

int64_t outrider_unrecognised(const struct spellings *known, const uint8_t *hrefs, int64_t length, uint64_t site,
                              uint64_t everywhere, uint8_t *others) {
  const uint8_t *end = hrefs + length;
  uint8_t *out = others;
  struct href ahead[AHEAD];
  struct fingerprint wanted[AHEAD];
  for (size_t many = AHEAD; many == AHEAD;) {
    for (many = 0; many < AHEAD && next_href(&hrefs, end, &ahead[many]); many++) {
      wanted[many] = fingerprint_of(known, ahead[many].at[0] == '/' ? site : everywhere, ahead[many]);
      __builtin_prefetch(&known->table[wanted[many].high & (known->places - 1)]);
    }
    for (size_t nth = 0; nth < many; nth++)
      if (!place_of(known, wanted[nth])->low) {
        memcpy(out, ahead[nth].at, ahead[nth].length + 1);
        out += ahead[nth].length + 1;
      }
  }
  return out - others;
}
