/* What each tag and each text does, by the mode: the tree builder of the standard without a tree (13.2.6). */
#ifndef OUTRIDER_TREE_H
#define OUTRIDER_TREE_H

#include "tables_of_page.h"

static void begin_body(struct page *page) {
  while (page->depth > 1)
    pop(page);
  page->mode = IN_BODY;
  push_implied(page, TAG_BODY);
  page->in_body = true;
  end_line(&page->text); /* nothing was written yet, so that leading spaces are dropped */
}

/* Before, in and just behind <head>; true: the tag is done. */
static bool in_head(struct page *page) {
  enum tag tag = page->token.tag;
  uint32_t kinds = TAG_KINDS[tag];
  if (page->token.is_end) {
    if (tag == TAG_HEAD && page->mode != AFTER_HEAD) {
      page->mode = AFTER_HEAD;
      return true;
    }
    if (tag != TAG_BODY && tag != TAG_HTML && tag != TAG_BR)
      return true;
    begin_body(page);
    return tag == TAG_BODY || tag == TAG_HTML;
  }
  if (tag == TAG_HTML) {
    note_language(page);
    return true;
  }
  if (tag == TAG_HEAD) {
    if (page->mode == BEFORE_HEAD)
      page->mode = IN_HEAD;
    return true;
  }
  if (tag == TAG_NOSCRIPT && page->mode != AFTER_HEAD) {
    insert(page);
    page->mode = IN_HEAD_NOSCRIPT;
    return true;
  }
  if (kinds & KIND_IN_HEAD) {
    if (page->mode == BEFORE_HEAD)
      page->mode = IN_HEAD;
    start_in_head(page);
    return true;
  }
  if (tag == TAG_FRAMESET) {
    give_up(page, FRAMES);
    return true;
  }
  begin_body(page);
  return tag == TAG_BODY;
}

static bool in_head_noscript(struct page *page) {
  enum tag tag = page->token.tag;
  if (page->token.is_end ? tag == TAG_NOSCRIPT : false) {
    pop(page);
    page->mode = IN_HEAD;
    return true;
  }
  if (page->token.is_end && tag != TAG_BR)
    return true;
  if (!page->token.is_end) {
    switch (tag) {
    case TAG_HTML:
      note_language(page);
      return true;
    case TAG_HEAD:
    case TAG_NOSCRIPT:
      return true;
    case TAG_BASEFONT:
    case TAG_BGSOUND:
    case TAG_LINK:
    case TAG_META:
    case TAG_NOFRAMES:
    case TAG_STYLE:
      start_in_head(page);
      return true;
    default:
      break;
    }
  }
  pop(page);
  page->mode = IN_HEAD;
  return false;
}

static bool is_integration_point(const struct element *element) { return element->is_foreign && is_boundary(element); }

/* Inside <svg>; true: the tag is done. */
static bool in_svg(struct page *page) {
  struct token *token = &page->token;
  enum tag tag = token->tag;
  if (token->is_end) {
    if (tag == TAG_P || tag == TAG_BR) {
      give_up(page, FOREIGN);
      return true;
    }
    for (uint32_t nth = page->depth; nth-- > 0;) {
      struct element *element = &page->open[nth];
      if (!element->is_foreign)
        return false;
      bool is_it = element->name.length == token->name.length;
      for (uint32_t at = 0; is_it && at < token->name.length; at++)
        is_it = lower(element->name.at[at]) == lower(token->name.at[at]);
      if (is_it) {
        while (page->depth > nth)
          pop(page);
        return true;
      }
    }
    return false;
  }
  if (is_integration_point(current(page)) || tag == TAG_BASE || tag == TAG_LINK || tag == TAG_HTML || tag == TAG_MATH ||
      (tag == TAG_FONT && token->present & 1u << FONT) ||
      (tag == TAG_SCRIPT && has_value(token, TYPE)) ||
      (tag == TAG_TITLE && !page->has_title && !is_kind(current(page), KIND_HIDDEN))) {
    give_up(page, FOREIGN);
    return true;
  }
  if (TAG_KINDS[tag] & KIND_BREAKOUT) {
    while (current(page)->is_foreign && !is_integration_point(current(page)))
      pop(page);
    return false;
  }
  if (tag == TAG_A || tag == TAG_AREA)
    note_anchor(page);
  if (token->is_self_closing)
    return true;
  if (page->depth >= MOST_OPEN) {
    give_up(page, TOO_DEEP);
    return true;
  }
  /* The drawing hides all that it holds; nested drawings need not hide it again. */
  page->open[page->depth++] = (struct element){
      .id = ++page->ids, .kinds = KIND_INLINE, .tag = tag, .is_foreign = true, .name = token->name};
  return true;
}

/* A start or end tag. */
static void take_tag(struct page *page) {
  bool is_done = current(page)->is_foreign && in_svg(page);
  for (int tries = 0; !is_done && page->outcome == SCANNED && tries < 100; tries++) {
    switch (page->mode) {
    case BEFORE_HEAD:
    case IN_HEAD:
    case AFTER_HEAD:
      is_done = in_head(page);
      break;
    case IN_HEAD_NOSCRIPT:
      is_done = in_head_noscript(page);
      break;
    case IN_BODY:
      (page->token.is_end ? end_in_body : start_in_body)(page);
      is_done = true;
      break;
    case IN_TABLE:
      is_done = in_table(page);
      break;
    case IN_CAPTION:
      is_done = in_caption(page);
      break;
    case IN_COLUMN_GROUP:
      is_done = in_column_group(page);
      break;
    case IN_TABLE_BODY:
      is_done = in_table_body(page);
      break;
    case IN_ROW:
      is_done = in_row(page);
      break;
    case IN_CELL:
      is_done = in_cell(page);
      break;
    }
  }
}

/* Text between tags. */
static void take_text(struct page *page, const uint8_t *at, size_t length, bool has_references) {
  if (page->mode != IN_BODY && page->mode != IN_CELL && page->mode != IN_CAPTION && !current(page)->is_foreign) {
    const uint8_t *end = at + length;
    while (at < end && is_space(*at))
      at++;
    if (at == end)
      return;
    length = (size_t)(end - at);
    if (*at == '&') {
      give_up(page, REFERENCE_BETWEEN); /* it may stand for white space */
      return;
    }
    if (page->mode > IN_BODY) {
      give_up(page, FOSTERED);
      return;
    }
    begin_body(page);
  }
  if (page->formats_count && !current(page)->is_foreign)
    open_again(page); /* white space does this, too */
  if (page->hidden)
    return;
  bool keeps_lines = page->preformatted > 0;
  if (!(has_references ? append_marked_up : append_text)(&page->text, at, length, page->end, keeps_lines))
    no_memory(page);
}

#endif
