/* The tokeniser: tags with their attributes, comments, and the ends of elements that hold text (13.2.5). */
#ifndef OUTRIDER_TOKENS_H
#define OUTRIDER_TOKENS_H

#include "bounds.h"
#include "page.h"

/* The attributes that are looked at, by name; ATTRIBUTE_COUNT for all others. */
static enum attribute attribute_of(const uint8_t *name, size_t length) {
  /* By length and first letter, which leave one at most. */
  static const struct {
    const char *name;
    enum attribute attribute;
  } KNOWN[][32] = {
      [3]['r' & 0x1F] = {"rel", REL},
      [4]['f' & 0x1F] = {"face", FONT},
      [4]['h' & 0x1F] = {"href", HREF},
      [4]['l' & 0x1F] = {"lang", LANG},
      [4]['n' & 0x1F] = {"name", NAME},
      [4]['s' & 0x1F] = {"size", FONT},
      [4]['t' & 0x1F] = {"type", TYPE},
      [5]['c' & 0x1F] = {"color", FONT},
      [7]['c' & 0x1F] = {"content", CONTENT},
      [8]['i' & 0x1F] = {"itemprop", ITEMPROP},
      [8]['p' & 0x1F] = {"property", PROPERTY},
      [8]['x' & 0x1F] = {"xml:lang", XML_LANG},
      [10]['h' & 0x1F] = {"http-equiv", HTTP_EQUIV},
      [10]['x' & 0x1F] = {"xlink:href", XLINK_HREF},
  };
  if (length >= sizeof KNOWN / sizeof *KNOWN)
    return ATTRIBUTE_COUNT;
  const char *known = KNOWN[length][name[0] & 0x1F].name;
  return known && starts_with(name, name + length, known) ? KNOWN[length][name[0] & 0x1F].attribute : ATTRIBUTE_COUNT;
}

static void note_attribute(struct token *token, struct name name, struct name value, bool has_value) {
  enum attribute attribute = attribute_of(name.at, name.length);
  if (attribute == ATTRIBUTE_COUNT || token->present & 1u << attribute)
    return; /* the first one counts */
  token->present |= 1u << attribute;
  token->with_value |= has_value ? 1u << attribute : 0;
  token->values[attribute] = value;
}

static const uint8_t *end_of_attribute_name(const uint8_t *at, const uint8_t *end) {
  if (end - at >= 8) { /* nearly all names end within them */
    uint64_t eight = eight_bytes(at);
    uint64_t stops = first_of(eight, '=') | first_of(eight, '>') | first_of(eight, '/') | first_up_to(eight, ' ');
    at += stops ? lowest(stops) / 8 : 8;
  }
  while (at < end && *at != '=' && *at != '>' && *at != '/' && !is_space(*at))
    at++;
  return at;
}

/* Read up to the end of a tag; NULL: the page ends in it. */
static const uint8_t *read_attributes(struct token *token, const uint8_t *at, const uint8_t *end, bool is_wanted) {
  for (;;) {
    while (at < end && is_space(*at))
      at++;
    if (at == end)
      return NULL;
    if (*at == '>')
      return at + 1;
    if (*at == '/') {
      if (++at < end && *at == '>') {
        token->is_self_closing = true;
        return at + 1;
      }
      continue;
    }
    struct name name = {at, 0}, value = {at, 0};
    bool has_value = false;
    at++; /* even if it is an equals sign */
    at = end_of_attribute_name(at, end);
    name.length = (uint32_t)(at - name.at);
    while (at < end && is_space(*at))
      at++;
    if (at < end && *at == '=') {
      at++;
      while (at < end && is_space(*at))
        at++;
      if (at == end)
        return NULL;
      if (*at == '"' || *at == '\'') {
        const uint8_t *closed = memchr(at + 1, *at, (size_t)(end - at) - 1);
        if (closed == NULL)
          return NULL;
        value = (struct name){at + 1, (uint32_t)(closed - at - 1)};
        has_value = true;
        at = closed + 1;
      } else {
        value.at = at;
        while (at < end && *at != '>' && !is_space(*at))
          at++;
        value.length = (uint32_t)(at - value.at);
        has_value = value.length > 0;
      }
    }
    token->count++;
    if (is_wanted)
      note_attribute(token, name, value, has_value);
  }
}

static enum tag tag_of(uint64_t first, uint64_t second) {
  enum tag tag = TAG_TABLE_OF_NAMES[TAG_HASH(first, second)];
  return TAG_LETTERS[tag][0] == first && TAG_LETTERS[tag][1] == second ? tag : TAG_UNKNOWN;
}

static bool ends_tag_name(uint8_t byte) { return byte == '>' || byte == '/' || is_space(byte); }

/* Read a name up to its end. Nearly all are short, and known by the eight bytes that they begin. */
static const uint8_t *read_name(struct token *token, const uint8_t *name, const uint8_t *end) {
  const uint8_t *at = name;
  if (end - at >= 8) {
    uint64_t eight = eight_bytes(at);
    uint64_t stops = first_of(eight, '>') | first_of(eight, '/') | first_up_to(eight, ' ');
    if (stops && ends_tag_name(at[lowest(stops) / 8])) {
      size_t length = lowest(stops) / 8;
      token->name = (struct name){name, (uint32_t)length};
      token->tag = tag_of(small_letters(first_bytes(eight, length)), 0);
      return at + length;
    }
  }
  while (at < end && !ends_tag_name(*at))
    at++;
  size_t length = (size_t)(at - name);
  token->name = (struct name){name, (uint32_t)length};
  token->tag = TAG_UNKNOWN;
  if (length <= LONGEST_TAG) {
    uint8_t letters[16] = {0};
    memcpy(letters, name, length);
    token->tag = tag_of(small_letters(eight_bytes(letters)), small_letters(eight_bytes(letters + 8)));
  }
  return at;
}

static bool has_attributes_of_interest(enum tag tag) {
  switch (tag) {
  case TAG_A:
  case TAG_AREA:
  case TAG_META:
  case TAG_LINK:
  case TAG_BASE:
  case TAG_HTML:
  case TAG_SCRIPT:
  case TAG_INPUT:
  case TAG_FONT:
    return true;
  default:
    return false;
  }
}

/* Read the tag whose name is at `at`; NULL: the page ends in it. Where `closed` says that it ends, its attributes may
 * stay unread. */
static const uint8_t *read_tag(struct token *token, const uint8_t *at, const uint8_t *end, bool is_end,
                               const uint8_t *closed) {
  at = read_name(token, at, end);
  token->is_end = is_end;
  token->is_self_closing = false;
  token->present = token->with_value = 0;
  token->count = 0;
  bool is_wanted = !is_end && has_attributes_of_interest(token->tag);
  bool is_skipped = closed && !is_wanted && closed[-1] != '/'; /* which may be part of a value */
  const uint8_t *after = is_skipped ? closed + 1 : read_attributes(token, at, end, is_wanted);
  if (after == NULL || !(TAG_KINDS[token->tag] & KIND_FORMATTING))
    return after;
  token->attributes = (struct name){at, (uint32_t)(after - at)};
  return after;
}

/* Behind a comment, of which `at` is behind the opening dashes. */
static const uint8_t *behind_comment(const uint8_t *at, const uint8_t *end) {
  const uint8_t *start = at, *closed;
  for (; (closed = memchr(at, '>', (size_t)(end - at))) != NULL; at = closed + 1) {
    ptrdiff_t length = closed - start;
    if (length == 0 || (length == 1 && start[0] == '-') || (length >= 2 && closed[-1] == '-' && closed[-2] == '-') ||
        (length >= 3 && closed[-1] == '!' && closed[-2] == '-' && closed[-3] == '-'))
      return closed + 1;
  }
  return end;
}

/* Behind a comment, a doctype or what is taken for a comment: `at` is at <!, <? or </. */
static const uint8_t *behind_declaration(const uint8_t *at, const uint8_t *end) {
  if (end - at >= 4 && !memcmp(at, "<!--", 4))
    return behind_comment(at + 4, end);
  const uint8_t *closed = memchr(at + 2, '>', (size_t)(end - at) - 2);
  return closed ? closed + 1 : end;
}

static bool is_cdata(const uint8_t *at, const uint8_t *end) { return end - at >= 9 && !memcmp(at, "<![CDATA[", 9); }

/* Whether an end or start tag of this name stands at `at`, behind its opening. */
static bool is_named(const uint8_t *at, const uint8_t *end, const char *name) {
  size_t length = strlen(name);
  return (size_t)(end - at) > length && starts_with(at, end, name) &&
         (is_space(at[length]) || at[length] == '/' || at[length] == '>');
}

/* Where the text of an element ends: at its end tag, which may have two names, or at the end of the page. */
static const uint8_t *end_of_raw(const uint8_t *at, const uint8_t *end, const char *name, const char *other) {
  while ((at = memchr(at, '<', (size_t)(end - at))) != NULL) {
    if (end - at > 2 && at[1] == '/' && (is_named(at + 2, end, name) || is_named(at + 2, end, other)))
      return at;
    at++;
  }
  return end;
}

/* The same for a script, which may hold scripts in comments. */
static const uint8_t *end_of_script(const uint8_t *at, const uint8_t *end) {
  enum { PLAIN, ESCAPED, DOUBLE_ESCAPED } state = PLAIN;
  int dashes = 0;
  while (at < end) {
    if (state == PLAIN) {
      at = memchr(at, '<', (size_t)(end - at));
      if (at == NULL)
        return end;
    }
    if (*at == '<') {
      dashes = 0;
      if (end - at > 1 && at[1] == '/' && is_named(at + 2, end, "script")) {
        if (state != DOUBLE_ESCAPED)
          return at;
        state = ESCAPED;
        at += 8;
        continue;
      }
      if (state == PLAIN && end - at >= 4 && !memcmp(at, "<!--", 4)) {
        state = ESCAPED;
        dashes = 2;
        at += 4;
        continue;
      }
      if (state == ESCAPED && is_named(at + 1, end, "script")) {
        state = DOUBLE_ESCAPED;
        at += 7;
        continue;
      }
    } else if (*at == '-') {
      dashes++;
    } else {
      if (*at == '>' && dashes >= 2)
        state = PLAIN;
      dashes = 0;
    }
    at++;
  }
  return end;
}

static const uint8_t *end_of_content(const uint8_t *at, const uint8_t *end, enum tag tag, bool templates_are_text) {
  const char *name = TAG_NAMES[tag];
  if (tag == TAG_SCRIPT)
    return end_of_script(at, end);
  return end_of_raw(at, end, name, tag == TAG_NOFRAMES && templates_are_text ? "template" : name);
}

/* Read the end tag at `at`, if there is one. */
static const uint8_t *behind_end_tag(const uint8_t *at, const uint8_t *end) {
  struct token token;
  if (at == end)
    return end;
  const uint8_t *after = read_tag(&token, at + 2, end, true, NULL);
  return after ? after : end;
}

#endif
