/* What a page says about itself, as records of fields that end with a zero.
 *
 *   M name content                                    a <meta> with content, once for each name, property and so on
 *   L href rel type                                   a <link> that may be a relation of interest
 *   B href                                            a <base>
 *   J text                                            a script of JSON-LD
 *   T text                                            the title
 *   H lang, I lang                                    `lang` and `xml:lang` of <html>
 */
#ifndef OUTRIDER_FIELDS_H
#define OUTRIDER_FIELDS_H

#include "page.h"

static bool mentions(struct name text, const char *word) {
  size_t length = strlen(word);
  for (size_t from = 0; from + length <= text.length; from++) {
    size_t same = 0;
    while (same < length && lower(text.at[from + same]) == (uint8_t)word[same])
      same++;
    if (same == length)
      return true;
  }
  return false;
}

static void put_record(struct page *page, char kind) {
  uint8_t record[2] = {(uint8_t)kind, 0};
  if (!append(&page->fields, record, 2))
    no_memory(page);
}

/* Where templates are read as other elements, their tags are also in what is only text. */
static void check_template(struct page *page, struct name text) {
  if (page->templates_are_text && memchr(text.at, '<', text.length) &&
      (mentions(text, "<template") || mentions(text, "</template")))
    give_up(page, TEMPLATE_CONTENT);
}

static void put_field(struct page *page, struct name field, bool in_attribute) {
  if (field.length)
    check_template(page, field);
  if (!append_decoded(&page->fields, field.at, field.length, in_attribute) || !append_byte(&page->fields, 0))
    no_memory(page);
}

static void put_value(struct page *page, enum attribute attribute) {
  struct name none = {NULL, 0};
  put_field(page, page->token.present & 1u << attribute ? page->token.values[attribute] : none, true);
}

static bool has_value(const struct token *token, enum attribute attribute) {
  return (token->present & 1u << attribute) && token->values[attribute].length > 0;
}

static bool may_be_relation(const struct token *token) {
  static const char *const RELATIONS[] = {"canonical", "alternate", "next", "prev"};
  if (!has_value(token, HREF) || !has_value(token, REL))
    return false;
  struct name rel = token->values[REL];
  if (memchr(rel.at, '&', rel.length))
    return true;
  for (size_t nth = 0; nth < 4; nth++)
    if (mentions(rel, RELATIONS[nth]))
      return true;
  return false;
}

static void note_anchor(struct page *page) {
  struct token *token = &page->token;
  enum attribute from = token->with_value & 1u << HREF ? HREF : XLINK_HREF;
  if (!(token->with_value & 1u << from))
    return;
  struct name href = token->values[from];
  check_template(page, href);
  bool is_nofollow = false;
  if (has_value(token, REL)) {
    page->value.length = 0;
    if (!append_decoded(&page->value, token->values[REL].at, token->values[REL].length, true)) {
      no_memory(page);
      return;
    }
    is_nofollow = says_nofollow(page->value.at, page->value.length);
  }
  if (memchr(href.at, '&', href.length) || memchr(href.at, '\r', href.length)) {
    page->value.length = 0;
    if (!append_decoded(&page->value, href.at, href.length, true)) {
      no_memory(page);
      return;
    }
    href.at = page->value.at;
    href.length = (uint32_t)page->value.length;
  }
  if (!note_href(&page->links, href.at, href.length, is_nofollow))
    no_memory(page);
}

/* Note what the element that the token opens says about the page. */
static void note_element(struct page *page) {
  struct token *token = &page->token;
  switch (token->tag) {
  case TAG_A:
  case TAG_AREA:
    note_anchor(page);
    break;
  case TAG_META:
    for (enum attribute each = NAME; each < CONTENT; each++)
      if (has_value(token, CONTENT) && has_value(token, each)) {
        put_record(page, 'M');
        put_value(page, each);
        put_value(page, CONTENT);
      }
    break;
  case TAG_LINK:
    if (may_be_relation(token)) {
      put_record(page, 'L');
      put_value(page, HREF);
      put_value(page, REL);
      put_value(page, TYPE);
    }
    break;
  case TAG_BASE:
    if (has_value(token, HREF)) {
      put_record(page, 'B');
      put_value(page, HREF);
    }
    break;
  default:
    break;
  }
}

/* The first <html> that has an attribute states it. */
static void note_language(struct page *page) {
  if (!page->has_language && page->token.present & 1u << LANG) {
    page->has_language = true;
    put_record(page, 'H');
    put_value(page, LANG);
  }
  if (!page->has_xml_language && page->token.present & 1u << XML_LANG) {
    page->has_xml_language = true;
    put_record(page, 'I');
    put_value(page, XML_LANG);
  }
}

#endif
