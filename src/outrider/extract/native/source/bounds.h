/* Whether tree/bounds.py would take anything out of a page. Doubtful pages go there. */
#ifndef OUTRIDER_BOUNDS_H
#define OUTRIDER_BOUNDS_H

#include "page.h"

#define MOST_HTML 4000000 /* bytes: up to here no text reaches the limit on its length */
#define MOST_ADDED 3000000 /* bytes: below this no page grows too much when it is written out, see nesting.py */
#define ADDED_BY_TAG 40    /* brackets, a slash, and elements that the standard adds, besides the name */
#define ADDED_BY_SIGN 5    /* when it is written as a reference */
#define LONG_TAG 16384
#define MOST_ATTRIBUTES 2048
#define LONG_PAGE 65536
#define FEW_TAGS 700
#define MANY_TAGS 5000
#define MOST_TAGS 300000
#define MOST_REPEATED 500000
#define REPEATS 3
#define MOST_OUTERMOST 16
#define MOST_OPTIONS 4000

/* White space as Python's `re` sees it, or a slash. */
static bool ends_name(uint8_t byte) { return is_white(byte) || byte == '/'; }

static bool starts_with(const uint8_t *at, const uint8_t *end, const char *name) {
  for (; *name; name++, at++)
    if (at >= end || lower(*at) != (uint8_t)*name)
      return false;
  return true;
}

static const uint8_t *last_of(const uint8_t *start, const uint8_t *end, uint8_t byte) {
  while (end > start && *--end != byte)
    ;
  return end;
}

/* Whether a tag has more attributes than any real one: what stands between them is counted, as in bounds.py. */
static bool is_crowded(const uint8_t *at, const uint8_t *end) {
  const uint8_t *last_double = last_of(at, end, '"'), *last_single = last_of(at, end, '\'');
  size_t separators = 0;
  while (at < end) {
    if (ends_name(*at)) {
      while (at < end && ends_name(*at))
        at++;
    } else if (*at++ == '=') {
      const uint8_t *value = at;
      while (value < end && is_white(*value))
        value++;
      if (value == end || (*value != '"' && *value != '\'') || value >= (*value == '"' ? last_double : last_single))
        continue;
      at = (const uint8_t *)memchr(value + 1, *value, (size_t)(end - value - 1)) + 1;
    } else {
      continue;
    }
    if (++separators > MOST_ATTRIBUTES)
      return true;
  }
  return false;
}

/* Whether a long stretch without a tag is one crowded tag. */
static bool is_crowded_stretch(const uint8_t *start, const uint8_t *end) {
  if (end - start < LONG_TAG / 2 || !is_letter(start[1]))
    return false;
  const uint8_t *closed = memchr(start, '>', (size_t)(end - start));
  return (closed == NULL || closed > start + LONG_TAG) && is_crowded(start, closed ? closed : end);
}

/* Tags like <i class=…>, by their first two characters: what bounds.py counts first. Bit 5 does not count in them,
 * so that letters may be large; with it, white space looks like punctuation. */
#define SECOND(byte) (UINT64_C(1) << (((byte) & 0x1F) | ((byte) & 0x40) >> 1))
#define NO_LETTER (SECOND(' ') | SECOND(')') | SECOND('*') | SECOND(',') | SECOND('-') | SECOND('/'))

static bool is_like_formatting(const uint8_t *name) {
  static const uint64_t SECONDS[32] = {
      ['b' & 0x1F] = NO_LETTER | SECOND('i'),
      ['c' & 0x1F] = SECOND('o'),
      ['e' & 0x1F] = SECOND('m'),
      ['f' & 0x1F] = SECOND('o'),
      ['i' & 0x1F] = NO_LETTER,
      ['n' & 0x1F] = SECOND('o'),
      ['s' & 0x1F] = NO_LETTER | SECOND('m') | SECOND('t'),
      ['t' & 0x1F] = SECOND('t'),
      ['u' & 0x1F] = NO_LETTER,
  };
  return is_letter(name[0]) & (name[1] < 0x80) & ((SECONDS[name[0] & 0x1F] & SECOND(name[1])) != 0);
}

/* Kinds of formatting tags with attributes: different bytes are different kinds. */
struct tag_kinds {
  uint64_t hashes[1024];
  size_t count;
};

/* Add the formatting tag at `at`, its opening; false: it is not clear where the tag ends, or there are too many. */
static bool add_kind(struct tag_kinds *kinds, const uint8_t *at, const uint8_t *end, size_t most) {
  static const char *const NAMES[] = {"big", "b", "code", "em", "font", "i", "nobr", "small", "strike", "strong", "s", "tt", "u"};
  size_t nth = 0, count = sizeof NAMES / sizeof *NAMES;
  const uint8_t *tag = at;
  while (nth < count && !(starts_with(at + 1, end, NAMES[nth]) && (size_t)(end - at) > strlen(NAMES[nth]) + 1 &&
                          ends_name(at[strlen(NAMES[nth]) + 1])))
    nth++;
  if (nth == count)
    return true;
  for (at += strlen(NAMES[nth]) + 1; at < end && *at != '>'; at++) {
    if (*at == '<' || *at == '"' || *at == '\'')
      return false;
    if (*at != '=' || end - at < 2 || (at[1] != '"' && at[1] != '\''))
      continue;
    const uint8_t quote = at[1];
    for (at += 2; at < end && *at != quote; at++)
      if (*at == '<' || *at == '>')
        return false;
    if (at == end)
      return false;
  }
  if (at == end)
    return false;
  uint64_t hash = hash_bytes(tag, (size_t)(at - tag), table_seed) | 1;
  size_t place = hash >> 54;
  while (kinds->hashes[place] && kinds->hashes[place] != hash)
    place = (place + 1) % 1024;
  kinds->count += kinds->hashes[place] == 0;
  kinds->hashes[place] = hash;
  return kinds->count <= most;
}

static bool is_formatting_harmless(const struct brackets *brackets, const uint8_t *end, size_t most) {
  struct tag_kinds kinds = {{0}, 0};
  if (most > 512)
    return false; /* only with very few tags */
  for (const struct bracket *each = brackets->all; end - each->at > 2; each++)
    if (is_like_formatting(each->at + 1) && !add_kind(&kinds, each->at, end, most))
      return false;
  return true;
}

/* Whether a page with very many tags has no more outermost elements and options than any real one. */
static bool are_many_tags_harmless(const struct brackets *brackets, const uint8_t *end) {
  size_t outermost = 0, options = 0;
  for (const struct bracket *each = brackets->all; end - each->at > 2; each++) {
    const uint8_t *name = each->at + 1;
    if (starts_with(name, end, "html") || starts_with(name, end, "body"))
      outermost += end - name > 4 && ends_name(name[4]);
    else if (starts_with(name + (*name == '/'), end, "option"))
      options++;
  }
  return outermost <= MOST_OUTERMOST && options <= MOST_OPTIONS;
}

/* Whether nothing has to be taken out of a page because of its tags, of which so many start like formatting. */
static bool are_tags_harmless(const struct brackets *brackets, const uint8_t *end, size_t formatting) {
  size_t tags = brackets->count;
  if (tags <= FEW_TAGS)
    return true;
  size_t most = MOST_REPEATED / (REPEATS * tags);
  return tags <= MOST_TAGS && (tags <= MANY_TAGS || are_many_tags_harmless(brackets, end)) &&
         (formatting <= most || is_formatting_harmless(brackets, end, most));
}

/* What the signs of a page add when they are written as references. */
static size_t added_by_signs(const uint8_t *at, const uint8_t *end) {
  size_t signs = 0;
  while (at < end) {
    /* No more at once than a byte can count, so that compilers do many bytes at a time. */
    size_t some = end - at < 192 ? (size_t)(end - at) : 192;
    uint8_t found = 0;
    for (size_t nth = 0; nth < some; nth++)
      found += (at[nth] == '&') | (at[nth] == '<') | (at[nth] == '>') | (at[nth] == '"') | (at[nth] == 0xA0);
    signs += found;
    at += some;
  }
  return signs * ADDED_BY_SIGN;
}

/* Look at every tag, and note where it ends: whether one is crowded, and how many start like formatting. */
static bool has_crowded_tag(struct brackets *brackets, const uint8_t *html, const uint8_t *end, size_t *formatting) {
  bool has_crowded = false;
  const uint8_t *behind = html; /* the tag before */
  for (size_t nth = 0; nth < brackets->count; nth++) {
    struct bracket *each = &brackets->all[nth];
    has_crowded |= is_crowded_stretch(each->at, each[1].at);
    *formatting += end - each->at > 2 && is_like_formatting(each->at + 1);
    if (each->at < behind || end - each->at < 2 || !is_letter(each->at[1]))
      continue; /* no tag, or in one: no byte is in two tags, so that the time is linear */
    each->closed = clear_end(each->at + 1, end);
    behind = each->closed ? each->closed : end_of_tag(each->at + 1, end);
    has_crowded |= end - html > LONG_PAGE && behind - each->at >= LONG_TAG && is_crowded(each->at, behind);
  }
  return has_crowded;
}

/* Check a page before it is read. */
static void check_bounds(struct page *page, bool is_bounded) {
  const uint8_t *html = page->at, *end = page->end;
  size_t length = (size_t)(end - html);
  if (length > MOST_HTML) {
    give_up(page, TOO_LARGE);
    return;
  }
  if (memchr(html, 0, length)) {
    give_up(page, HAS_NUL);
    return;
  }
  if (!is_utf8(html, end)) {
    give_up(page, NOT_UTF8);
    return;
  }
  if (!find_brackets(&page->brackets, html, end, is_bounded ? SIZE_MAX : MOST_TAGS)) {
    no_memory(page);
    return;
  }
  if (page->brackets.count > MANY_TAGS) {
    page->has_many_tags = page->templates_are_text = true;
    page->added = added_by_signs(html, end);
  }
  size_t formatting = 0;
  bool has_crowded = has_crowded_tag(&page->brackets, html, end, &formatting);
  if (!is_bounded && (has_crowded || !are_tags_harmless(&page->brackets, end, formatting))) {
    page->outcome = CHECK_BOUNDS;
    page->reason = has_crowded || page->brackets.count > MOST_TAGS ? CROWDED : USUAL;
  }
}

#endif
