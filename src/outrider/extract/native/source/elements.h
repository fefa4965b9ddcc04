/* The stack of open elements and the list of active formatting elements, as in the standard (13.2.4).
 *
 * There is no tree. What opening and closing means for the text is decided here: a line ends, or text is hidden.
 */
#ifndef OUTRIDER_ELEMENTS_H
#define OUTRIDER_ELEMENTS_H

#include "fields.h"

static bool is_kind(const struct element *element, uint32_t kind) { return (element->kinds & kind) != 0; }

static struct element *current(struct page *page) { return &page->open[page->depth - 1]; }

static bool is_html(const struct element *element, enum tag tag) {
  return element->tag == tag && !element->is_foreign;
}

static void entering(struct page *page, uint32_t kinds) {
  if (kinds & KIND_HIDDEN_BLOCK && !page->hidden)
    end_line(&page->text);
  if (kinds & (KIND_HIDDEN | KIND_HIDDEN_BLOCK))
    page->hidden++;
  else if (!(kinds & KIND_INLINE) && !page->hidden)
    end_line(&page->text);
  if (kinds & KIND_PREFORMATTED)
    page->preformatted++;
}

static void leaving(struct page *page, uint32_t kinds, bool ends_line) {
  if (kinds & (KIND_HIDDEN | KIND_HIDDEN_BLOCK))
    page->hidden--;
  if (kinds & KIND_PREFORMATTED)
    page->preformatted--;
  if ((!(kinds & (KIND_INLINE | KIND_HIDDEN)) || ends_line) && !page->hidden)
    end_line(&page->text);
}

static void pop(struct page *page) {
  struct element *element = current(page);
  page->depth--;
  leaving(page, element->kinds, element->ends_line);
}

static struct element *push(struct page *page, enum tag tag, struct name name) {
  if (page->depth >= MOST_OPEN) {
    give_up(page, TOO_DEEP);
    return current(page);
  }
  struct element *element = &page->open[page->depth++];
  *element = (struct element){.id = ++page->ids, .kinds = TAG_KINDS[tag], .tag = tag, .name = name};
  entering(page, element->kinds);
  return element;
}

/* An element that the standard adds where no tag stands. */
static void push_implied(struct page *page, enum tag tag) {
  struct name name = {(const uint8_t *)TAG_NAMES[tag], (uint32_t)strlen(TAG_NAMES[tag])};
  push(page, tag, name);
}

/* The element of the token. */
static struct element *insert(struct page *page) {
  note_element(page);
  return push(page, page->token.tag, page->token.name);
}

/* The same for an element that is closed at once. */
static void insert_void(struct page *page) {
  note_element(page);
  uint32_t kinds = TAG_KINDS[page->token.tag];
  if (!(kinds & KIND_INLINE) && !page->hidden)
    end_line(&page->text);
}

static void pop_until(struct page *page, enum tag tag) {
  while (page->depth > 1) {
    bool was_it = is_html(current(page), tag);
    pop(page);
    if (was_it)
      return;
  }
}

/* Take an element out of the middle of the stack. */
static void take_out(struct page *page, uint32_t place) {
  if (place + 1 == page->depth) {
    pop(page);
    return;
  }
  struct element *element = &page->open[place];
  if (!is_kind(element, KIND_INLINE) || element->ends_line) {
    if (is_kind(element, KIND_HIDDEN | KIND_HIDDEN_BLOCK | KIND_PREFORMATTED)) {
      give_up(page, REMOVED_BLOCK);
      return;
    }
    element[1].ends_line = true; /* what is open inside ends where the block ends */
  }
  memmove(element, element + 1, (page->depth - place - 1) * sizeof *element);
  page->depth--;
}

static bool is_boundary(const struct element *element) {
  if (element->is_foreign)
    return element->tag == TAG_FOREIGNOBJECT || element->tag == TAG_DESC || element->tag == TAG_TITLE;
  return is_kind(element, KIND_SCOPE);
}

static bool is_special(const struct element *element) {
  return element->is_foreign ? is_boundary(element) : is_kind(element, KIND_SPECIAL);
}

/* Whether an element is in scope, with up to two more tags that bound the scope. */
static bool in_scope_until(struct page *page, enum tag tag, enum tag bound, enum tag other_bound) {
  for (uint32_t nth = page->depth; nth-- > 0;) {
    struct element *element = &page->open[nth];
    if (is_html(element, tag))
      return true;
    if (is_boundary(element) || is_html(element, bound) || is_html(element, other_bound))
      return false;
  }
  return false;
}

static bool in_scope(struct page *page, enum tag tag) { return in_scope_until(page, tag, TAG_HTML, TAG_HTML); }

static bool in_button_scope(struct page *page, enum tag tag) {
  return in_scope_until(page, tag, TAG_BUTTON, TAG_BUTTON);
}

static bool in_table_scope(struct page *page, enum tag tag) {
  for (uint32_t nth = page->depth; nth-- > 0;) {
    struct element *element = &page->open[nth];
    if (is_html(element, tag))
      return true;
    if (is_html(element, TAG_HTML) || is_html(element, TAG_TABLE))
      return false;
  }
  return false;
}

static void close_implied(struct page *page, enum tag except) {
  while (is_kind(current(page), KIND_IMPLIED_END) && !is_html(current(page), except))
    pop(page);
}

static void close_p(struct page *page) {
  if (in_button_scope(page, TAG_P)) {
    close_implied(page, TAG_P);
    pop_until(page, TAG_P);
  }
}

/* The list of active formatting elements. */

static int64_t place_of(struct page *page, uint32_t id) {
  for (uint32_t nth = page->depth; nth-- > 0;)
    if (page->open[nth].id == id)
      return nth;
  return -1;
}

static int64_t format_of(struct page *page, uint32_t id) {
  for (uint32_t nth = page->formats_count; nth-- > 0;)
    if (page->formats[nth].id == id)
      return nth;
  return -1;
}

static void drop_format(struct page *page, uint32_t nth) {
  memmove(&page->formats[nth], &page->formats[nth + 1], (page->formats_count - nth - 1) * sizeof *page->formats);
  page->formats_count--;
}

static void add_format(struct page *page, struct format format, uint32_t nth) {
  if (page->formats_count >= MOST_FORMATS) {
    give_up(page, TOO_MANY_FORMATS);
    return;
  }
  memmove(&page->formats[nth + 1], &page->formats[nth], (page->formats_count - nth) * sizeof *page->formats);
  page->formats[nth] = format;
  page->formats_count++;
}

static void add_marker(struct page *page) {
  add_format(page, (struct format){0, TAG_UNKNOWN, {NULL, 0}}, page->formats_count);
}

static void clear_to_marker(struct page *page) {
  while (page->formats_count)
    if (page->formats[--page->formats_count].tag == TAG_UNKNOWN)
      return;
}

/* The last entry with this tag behind the last marker. */
static int64_t last_format(struct page *page, enum tag tag) {
  for (uint32_t nth = page->formats_count; nth-- > 0 && page->formats[nth].tag != TAG_UNKNOWN;)
    if (page->formats[nth].tag == tag)
      return nth;
  return -1;
}

static bool is_same(struct name one, struct name other) {
  return one.length == other.length && !memcmp(one.at, other.at, one.length);
}

/* Insert the formatting element of the token. Of elements alike the list holds three. */
static void insert_format(struct page *page) {
  uint32_t id = insert(page)->id;
  uint32_t alike = 0, first = 0;
  for (uint32_t nth = page->formats_count; nth-- > 0 && page->formats[nth].tag != TAG_UNKNOWN;)
    if (page->formats[nth].tag == page->token.tag && is_same(page->formats[nth].attributes, page->token.attributes)) {
      alike++;
      first = nth;
    }
  if (alike >= 3)
    drop_format(page, first);
  add_format(page, (struct format){id, page->token.tag, page->token.attributes}, page->formats_count);
}

/* Open again what a closed block has closed before its time. */
static void open_again(struct page *page) {
  uint32_t nth = page->formats_count;
  while (nth > 0 && page->formats[nth - 1].tag != TAG_UNKNOWN && place_of(page, page->formats[nth - 1].id) < 0)
    nth--;
  for (; nth < page->formats_count && page->outcome == SCANNED; nth++) {
    page->cloned += page->formats[nth].attributes.length + 16;
    if (page->cloned > MOST_CLONED)
      give_up(page, TOO_MANY_FORMATS);
    push_implied(page, page->formats[nth].tag);
    page->formats[nth].id = current(page)->id;
  }
}

/* End tags without a rule of their own. */
static void close_other(struct page *page) {
  struct token *token = &page->token;
  for (uint32_t nth = page->depth; nth-- > 0;) {
    struct element *element = &page->open[nth];
    bool is_it = !element->is_foreign && element->tag == token->tag;
    if (is_it && token->tag == TAG_UNKNOWN) {
      is_it = element->name.length == token->name.length;
      for (uint32_t at = 0; is_it && at < token->name.length; at++)
        is_it = lower(element->name.at[at]) == lower(token->name.at[at]);
    }
    if (is_it) {
      uint32_t id = element->id;
      /* Implied end tags except this one; whatever they leave is closed as well. */
      while (page->open[page->depth - 1].id != id)
        pop(page);
      pop(page);
      return;
    }
    if (is_special(element))
      return;
  }
}

/* "The adoption agency algorithm": close a formatting element, also in the middle of blocks. */
static void close_format(struct page *page, enum tag tag) {
  if (is_html(current(page), tag) && format_of(page, current(page)->id) < 0) {
    pop(page);
    return;
  }
  for (int round = 0; round < 8 && page->outcome == SCANNED; round++) {
    int64_t listed = last_format(page, tag);
    if (listed < 0) {
      if (page->token.tag == tag && page->token.is_end)
        close_other(page);
      return;
    }
    uint32_t id = page->formats[listed].id;
    int64_t place = place_of(page, id);
    if (place < 0) {
      drop_format(page, (uint32_t)listed);
      return;
    }
    for (uint32_t nth = page->depth; nth-- > (uint32_t)place + 1;)
      if (is_boundary(&page->open[nth]))
        return;
    uint32_t furthest = (uint32_t)place + 1;
    while (furthest < page->depth && !is_special(&page->open[furthest]))
      furthest++;
    if (furthest == page->depth) {
      while (page->depth > (uint32_t)place)
        pop(page);
      drop_format(page, (uint32_t)listed);
      return;
    }
    uint32_t bookmark = (uint32_t)listed, moved = 0;
    bool is_next = true;
    for (uint32_t nth = furthest; nth-- > (uint32_t)place + 1;) {
      int64_t own = format_of(page, page->open[nth].id);
      if (++moved > 3 && own >= 0) {
        drop_format(page, (uint32_t)own);
        if ((uint32_t)own < bookmark)
          bookmark--;
        own = -1;
      }
      if (own < 0) {
        if (!is_kind(&page->open[nth], KIND_INLINE) || page->open[nth].ends_line)
          give_up(page, REMOVED_BLOCK);
        take_out(page, nth);
        furthest--;
        continue;
      }
      page->open[nth].id = page->formats[own].id = ++page->ids;
      if (is_next)
        bookmark = (uint32_t)own + 1;
      is_next = false;
    }
    struct format again = page->formats[listed = format_of(page, id)];
    again.id = ++page->ids;
    drop_format(page, (uint32_t)listed);
    if (bookmark > (uint32_t)listed)
      bookmark--;
    add_format(page, again, bookmark);
    if (page->open[place].ends_line)
      give_up(page, REMOVED_BLOCK);
    struct element clone = page->open[place];
    clone.id = again.id;
    /* It leaves its place, all up to the furthest block move down, and the clone comes behind that. */
    memmove(&page->open[place], &page->open[place + 1], (furthest - (uint32_t)place) * sizeof clone);
    page->open[furthest] = clone;
  }
}

#endif
