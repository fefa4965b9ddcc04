/* Where tags begin: every opening bracket of a page, and where the tag behind it ends if that is clear at a glance.
 *
 * They are found once, many bytes at a time. What checks a page and what reads it goes from one to the next.
 */
#ifndef OUTRIDER_BRACKETS_H
#define OUTRIDER_BRACKETS_H

#include "buffer.h"
#include "lanes.h"

struct bracket {
  const uint8_t *at;
  const uint8_t *closed; /* the bracket that closes it; NULL: this needs a closer look, or another tag is around it */
};

struct brackets {
  struct bracket *all; /* with one more behind the last, at the end of the page */
  size_t count;
  size_t capacity;
};

/* White space as Python's `re` sees it in bytes. */
static bool is_white(uint8_t byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

static bool may_open_value(const uint8_t *quote) { return quote && (quote[-1] == '=' || is_white(quote[-1])); }

/* The bracket that surely ends the tag whose name is at `at`: the next one, if no quote can hide it. Else NULL.
 *
 * What hides it is a value. The last quote of that kind before the bracket opens the value, behind an equals sign.
 */
static const uint8_t *clear_end(const uint8_t *at, const uint8_t *end) {
  const uint8_t *last_double = NULL, *last_single = NULL;
  for (; end - at >= LANES; at += LANES) {
    uint64_t brackets = lanes_with(at, '>'), before = (brackets - 1) & ~brackets;
    uint64_t doubles = lanes_with(at, '"') & before, singles = lanes_with(at, '\'') & before;
    if (doubles)
      last_double = at + highest(doubles);
    if (singles)
      last_single = at + highest(singles);
    if (brackets)
      return may_open_value(last_double) || may_open_value(last_single) ? NULL : at + lowest(brackets);
  }
  return NULL;
}

/* Where a tag ends, from behind its opening bracket; `end`: it does not. Only a quote behind an equals sign hides. */
static const uint8_t *end_of_tag(const uint8_t *at, const uint8_t *end) {
  while (at < end && *at != '>') {
    if (*at++ != '=')
      continue;
    const uint8_t *value = at;
    while (value < end && is_white(*value))
      value++;
    if (value < end && (*value == '"' || *value == '\'')) {
      const uint8_t *closed = memchr(value + 1, *value, (size_t)(end - value - 1));
      at = closed ? closed + 1 : end;
    }
  }
  return at;
}

/* Make room for those of the next bytes, and one more. */
static bool reserve_brackets(struct brackets *brackets) {
  if (brackets->capacity - brackets->count > LANES)
    return true;
  size_t capacity = brackets->capacity ? 2 * brackets->capacity : 1024;
  struct bracket *moved = realloc(brackets->all, capacity * sizeof *moved);
  if (moved == NULL)
    return false;
  brackets->all = moved;
  brackets->capacity = capacity;
  return true;
}

/* Find them all, or a few more than `most`; false: no memory. */
static bool find_brackets(struct brackets *brackets, const uint8_t *html, const uint8_t *end, size_t most) {
  uint8_t rest[LANES] = {0};
  for (const uint8_t *at = html; at < end && brackets->count <= most; at += LANES) {
    bool is_whole = end - at >= LANES;
    if (!is_whole)
      memcpy(rest, at, (size_t)(end - at));
    if (!reserve_brackets(brackets))
      return false;
    for (uint64_t bits = lanes_with(is_whole ? at : rest, '<'); bits; bits &= bits - 1)
      brackets->all[brackets->count++] = (struct bracket){at + lowest(bits), NULL};
  }
  if (!reserve_brackets(brackets))
    return false;
  brackets->all[brackets->count] = (struct bracket){end, NULL};
  return true;
}

#endif
