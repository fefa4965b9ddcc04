/* "In body": what a tag does among text (13.2.6.4.7). */
#ifndef OUTRIDER_BODY_H
#define OUTRIDER_BODY_H

#include "elements.h"

/* An element whose content is text up to its end tag. */
static void insert_raw(struct page *page) {
  note_element(page);
  page->raw = page->token.tag;
}

/* Elements that belong into <head>, wherever they stand. */
static void start_in_head(struct page *page) {
  enum tag tag = page->token.tag;
  if (tag == TAG_TEMPLATE || TAG_KINDS[tag] & KIND_RAW)
    insert_raw(page);
  else
    insert_void(page);
}

static bool are_quirks(struct page *page) {
  if (page->doctype == UNSURE)
    give_up(page, OLD_DOCTYPE);
  return page->doctype == NO_DOCTYPE || page->doctype == QUIRKS;
}

/* <li>, <dd> and <dt> close the one before them. */
static void start_item(struct page *page) {
  enum tag tag = page->token.tag, other = tag == TAG_DD ? TAG_DT : tag == TAG_DT ? TAG_DD : TAG_LI;
  for (uint32_t nth = page->depth; nth-- > 0;) {
    struct element *element = &page->open[nth];
    if (is_html(element, tag) || is_html(element, other)) {
      enum tag open = element->tag;
      close_implied(page, open);
      pop_until(page, open);
      break;
    }
    if (is_special(element) && !is_html(element, TAG_ADDRESS) && !is_html(element, TAG_DIV) &&
        !is_html(element, TAG_P))
      break;
  }
  close_p(page);
  insert(page);
}

static void start_anchor(struct page *page) {
  int64_t listed = last_format(page, TAG_A);
  if (listed >= 0) {
    uint32_t id = page->formats[listed].id;
    close_format(page, TAG_A);
    if ((listed = format_of(page, id)) >= 0)
      drop_format(page, (uint32_t)listed);
    int64_t place = place_of(page, id);
    if (place >= 0)
      take_out(page, (uint32_t)place);
  }
  open_again(page);
  insert_format(page);
}

static void start_table(struct page *page) {
  if (in_button_scope(page, TAG_P) && !are_quirks(page))
    close_p(page);
  insert(page);
  page->mode = IN_TABLE;
}

static void start_svg(struct page *page) {
  open_again(page);
  struct element *element = insert(page);
  element->is_foreign = true;
  if (page->token.is_self_closing)
    pop(page);
}

static void start_select(struct page *page) {
  if (in_scope(page, TAG_SELECT)) {
    pop_until(page, TAG_SELECT);
    return;
  }
  open_again(page);
  insert(page);
}

/* <option> and <optgroup>. */
static void start_option(struct page *page) {
  if (in_scope(page, TAG_SELECT))
    close_implied(page, page->token.tag == TAG_OPTION ? TAG_OPTGROUP : TAG_UNKNOWN);
  else if (is_html(current(page), TAG_OPTION))
    pop(page);
  open_again(page);
  insert(page);
}

static void start_void(struct page *page) {
  enum tag tag = page->token.tag;
  if (tag == TAG_HR) {
    close_p(page);
    if (in_scope(page, TAG_SELECT))
      close_implied(page, TAG_UNKNOWN);
  } else if (tag != TAG_PARAM && tag != TAG_SOURCE && tag != TAG_TRACK) {
    if (tag == TAG_INPUT && in_scope(page, TAG_SELECT))
      pop_until(page, TAG_SELECT);
    open_again(page);
  }
  insert_void(page);
}

static void start_in_body(struct page *page) {
  enum tag tag = page->token.tag;
  uint32_t kinds = TAG_KINDS[tag];
  if (kinds & KIND_CLOSES_P) {
    close_p(page);
    insert(page);
    return;
  }
  switch (tag) {
  case TAG_A:
    start_anchor(page);
    return;
  case TAG_LI:
  case TAG_DD:
  case TAG_DT:
    start_item(page);
    return;
  case TAG_HTML:
    note_language(page);
    return;
  case TAG_BODY:
  case TAG_HEAD:
  case TAG_FRAME:
    return;
  case TAG_FRAMESET:
    give_up(page, FRAMES);
    return;
  case TAG_PLAINTEXT:
    give_up(page, PLAIN_TEXT);
    return;
  case TAG_MATH:
    give_up(page, MATH);
    return;
  case TAG_SVG:
    start_svg(page);
    return;
  case TAG_PRE:
  case TAG_LISTING:
    close_p(page);
    insert(page);
    return;
  case TAG_FORM:
    if (page->has_form)
      return;
    close_p(page);
    insert(page)->is_the_form = true;
    page->has_form = true;
    return;
  case TAG_BUTTON:
    if (in_scope(page, TAG_BUTTON)) {
      close_implied(page, TAG_UNKNOWN);
      pop_until(page, TAG_BUTTON);
    }
    break;
  case TAG_NOBR:
    open_again(page);
    if (in_scope(page, TAG_NOBR)) {
      close_format(page, TAG_NOBR);
      open_again(page);
    }
    insert_format(page);
    return;
  case TAG_APPLET:
  case TAG_MARQUEE:
  case TAG_OBJECT:
    open_again(page);
    insert(page);
    add_marker(page);
    return;
  case TAG_TABLE:
    start_table(page);
    return;
  case TAG_IMAGE:
    page->token.tag = TAG_IMG;
    start_void(page);
    return;
  case TAG_TEXTAREA:
  case TAG_IFRAME:
  case TAG_NOEMBED:
    insert_raw(page);
    return;
  case TAG_XMP:
    close_p(page);
    open_again(page);
    insert_raw(page);
    return;
  case TAG_SELECT:
    start_select(page);
    return;
  case TAG_OPTION:
  case TAG_OPTGROUP:
    start_option(page);
    return;
  case TAG_RB:
  case TAG_RTC:
  case TAG_RP:
  case TAG_RT:
    if (in_scope(page, TAG_RUBY))
      close_implied(page, tag == TAG_RP || tag == TAG_RT ? TAG_RTC : TAG_UNKNOWN);
    insert(page);
    return;
  default:
    break;
  }
  if (kinds & KIND_HEADING) {
    close_p(page);
    if (is_kind(current(page), KIND_HEADING) && !current(page)->is_foreign)
      pop(page);
    insert(page);
  } else if (kinds & KIND_FORMATTING) {
    open_again(page);
    insert_format(page);
  } else if (kinds & KIND_IN_HEAD) {
    start_in_head(page);
  } else if (kinds & KIND_TABLE_PART) {
    return;
  } else if (kinds & KIND_VOID) {
    start_void(page);
  } else {
    open_again(page);
    insert(page);
  }
}

static void end_form(struct page *page) {
  page->has_form = false;
  for (uint32_t nth = page->depth; nth-- > 0;) {
    struct element *element = &page->open[nth];
    if (element->is_the_form) {
      close_implied(page, TAG_UNKNOWN);
      take_out(page, nth);
      break;
    }
    if (is_boundary(element))
      break;
  }
  for (uint32_t nth = 0; nth < page->depth; nth++)
    page->open[nth].is_the_form = false;
}

static void end_heading(struct page *page) {
  uint32_t nth = page->depth;
  while (nth-- > 0 && !(is_kind(&page->open[nth], KIND_HEADING) && !page->open[nth].is_foreign))
    if (is_boundary(&page->open[nth]))
      return;
  close_implied(page, TAG_UNKNOWN);
  while (!is_kind(current(page), KIND_HEADING) || current(page)->is_foreign)
    pop(page);
  pop(page);
}

static void end_in_body(struct page *page) {
  enum tag tag = page->token.tag;
  uint32_t kinds = TAG_KINDS[tag];
  if (kinds & KIND_CLOSED_BY_NAME) {
    if (in_scope(page, tag)) {
      close_implied(page, TAG_UNKNOWN);
      pop_until(page, tag);
    }
    return;
  }
  if (kinds & KIND_FORMATTING) {
    close_format(page, tag);
    return;
  }
  if (kinds & KIND_HEADING) {
    end_heading(page);
    return;
  }
  switch (tag) {
  case TAG_P:
    if (!in_button_scope(page, TAG_P))
      push_implied(page, TAG_P);
    close_p(page);
    return;
  case TAG_LI:
    if (in_scope_until(page, TAG_LI, TAG_OL, TAG_UL)) {
      close_implied(page, TAG_LI);
      pop_until(page, TAG_LI);
    }
    return;
  case TAG_DD:
  case TAG_DT:
    if (in_scope(page, tag)) {
      close_implied(page, tag);
      pop_until(page, tag);
    }
    return;
  case TAG_FORM:
    end_form(page);
    return;
  case TAG_BR:
    start_void(page);
    return;
  case TAG_APPLET:
  case TAG_MARQUEE:
  case TAG_OBJECT:
    if (in_scope(page, tag)) {
      close_implied(page, TAG_UNKNOWN);
      pop_until(page, tag);
      clear_to_marker(page);
    }
    return;
  case TAG_BODY:
  case TAG_HTML:
  case TAG_TEMPLATE:
    return;
  default:
    close_other(page);
  }
}

#endif
