/* The links of a page, each once, in the order of the page: as `tree/survey.py` collects them. */
#ifndef OUTRIDER_LINKS_H
#define OUTRIDER_LINKS_H

#include "buffer.h"
#include "scan.h"

#define LONGEST_HREF 8192 /* characters */

struct link {
  uint64_t hash;
  uint32_t start;
  uint32_t length;
  bool is_nofollow;
};

struct links {
  struct buffer hrefs;  /* each with a zero behind it */
  struct link *all;
  uint32_t count;
  uint32_t capacity;
  uint32_t *table; /* by hash: the number of a link plus one; twice as many places as links */
};

static uint64_t hash_bytes(const uint8_t *at, size_t length, uint64_t seed) {
  uint64_t hash = seed ^ (length * UINT64_C(0xBF58476D1CE4E5B9)), eight;
  for (; length >= 8; length -= 8, at += 8) {
    memcpy(&eight, at, 8);
    hash = (hash ^ eight) * UINT64_C(0x9E3779B97F4A7C15);
    hash ^= hash >> 29;
  }
  eight = 0;
  if (length)
    memcpy(&eight, at, length);
  hash = (hash ^ eight) * UINT64_C(0x94D049BB133111EB);
  return hash ^ hash >> 32;
}

static bool grow_links(struct links *links) {
  uint32_t capacity = links->capacity ? links->capacity * 2 : 64;
  struct link *all = realloc(links->all, capacity * sizeof *all);
  if (all == NULL)
    return false;
  links->all = all;
  free(links->table);
  links->table = calloc(2 * (size_t)capacity, sizeof *links->table);
  if (links->table == NULL)
    return false;
  links->capacity = capacity;
  for (uint32_t nth = 0; nth < links->count; nth++) {
    uint32_t place = (uint32_t)all[nth].hash & (2 * capacity - 1);
    while (links->table[place])
      place = (place + 1) & (2 * capacity - 1);
    links->table[place] = nth + 1;
  }
  return true;
}

/* Add a mention. A link is nofollow only if every mention of it says so. */
static bool add_link(struct links *links, const uint8_t *href, size_t length, bool is_nofollow) {
  if (links->count == links->capacity && !grow_links(links))
    return false;
  uint64_t hash = hash_bytes(href, length, table_seed);
  uint32_t mask = 2 * links->capacity - 1, place = (uint32_t)hash & mask;
  for (uint32_t nth; (nth = links->table[place]); place = (place + 1) & mask) {
    struct link *link = &links->all[nth - 1];
    if (link->hash == hash && link->length == length && !memcmp(links->hrefs.at + link->start, href, length)) {
      link->is_nofollow = link->is_nofollow && is_nofollow;
      return true;
    }
  }
  struct link added = {hash, (uint32_t)links->hrefs.length, (uint32_t)length, is_nofollow};
  if (!append(&links->hrefs, href, length) || !append_byte(&links->hrefs, 0))
    return false;
  links->all[links->count] = added;
  links->table[place] = ++links->count;
  return true;
}

/* Whether a word of `rel` says so; white space as Python has it. */
static bool says_nofollow(const uint8_t *at, size_t length) {
  const uint8_t *end = at + length;
  while (at < end) {
    size_t space = white_space(at, end);
    if (space) {
      at += space;
      continue;
    }
    uint8_t word[16];
    size_t letters = 0;
    while (at < end && !white_space(at, end)) {
      if (letters < sizeof word)
        word[letters] = lower(*at);
      letters++;
      at++;
    }
    if ((letters == 8 && !memcmp(word, "nofollow", 8)) || (letters == 3 && !memcmp(word, "ugc", 3)) ||
        (letters == 9 && !memcmp(word, "sponsored", 9)))
      return true;
  }
  return false;
}

/* A letter of a scheme where case does not count, as Python's `re` sees it: four are not ASCII. */
static size_t scheme_letter(const uint8_t *at, const uint8_t *end) {
  if (is_letter(*at))
    return 1;
  if (end - at >= 2 && ((at[0] == 0xC4 && (at[1] == 0xB0 || at[1] == 0xB1)) || (at[0] == 0xC5 && at[1] == 0xBF)))
    return 2;
  return end - at >= 3 && at[0] == 0xE2 && at[1] == 0x84 && at[2] == 0xAA ? 3 : 0;
}

static bool has_other_scheme(const uint8_t *at, const uint8_t *end) {
  const uint8_t *start = at;
  size_t taken = at < end ? scheme_letter(at, end) : 0;
  if (!taken)
    return false;
  for (at += taken; at < end; at += taken) {
    taken = scheme_letter(at, end);
    if (!taken && (is_digit(*at) || *at == '+' || *at == '.' || *at == '-'))
      taken = 1;
    if (!taken)
      break;
  }
  if (at == end || *at != ':')
    return false;
  size_t length = (size_t)(at - start);
  if (length != 4 && length != 5)
    return true;
  uint8_t scheme[5] = {0, 0, 0, 0, 's'};
  for (size_t nth = 0; nth < length; nth++)
    scheme[nth] = lower(start[nth]);
  return memcmp(scheme, "https", 5) != 0;
}

/* Add the href of an <a> or <area>, without padding; one that stays on the page counts as `#`. */
static bool note_href(struct links *links, const uint8_t *href, size_t length, bool is_nofollow) {
  bool is_ordinary = length && href[length - 1] > ' ' &&
                     (href[0] == '/' || (length >= 7 && !memcmp(href, "http://", 7)) ||
                      (length >= 8 && !memcmp(href, "https://", 8)));
  if (is_ordinary)
    return add_link(links, href, length, is_nofollow);
  while (length && href[length - 1] <= ' ')
    length--;
  while (length && href[0] <= ' ')
    href++, length--;
  if (length == 0 || href[0] == '#')
    return add_link(links, (const uint8_t *)"#", 1, is_nofollow);
  return has_other_scheme(href, href + length) || add_link(links, href, length, is_nofollow);
}

static bool is_too_long(const uint8_t *href, size_t length) {
  if (length <= LONGEST_HREF)
    return false;
  size_t characters = 0;
  for (size_t nth = 0; nth < length; nth++)
    characters += (href[nth] & 0xC0) != 0x80;
  return characters > LONGEST_HREF;
}

#endif
