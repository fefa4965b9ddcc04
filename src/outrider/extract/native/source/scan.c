/* The scan of a page: one pass over its bytes. */
#include "scan.h"

#include "tokens.h"
#include "tree.h"

/* What a <template> holds is no part of the page. */
static void skip_template(struct page *page) {
  uint32_t depth = 1, drawings = 0;
  const uint8_t *at = page->at, *end = page->end;
  struct token token;
  while (depth && (at = memchr(at, '<', (size_t)(end - at))) != NULL) {
    bool is_end = end - at > 2 && at[1] == '/';
    if (end - at < 2 || (!is_end && !is_letter(at[1]) && at[1] != '!' && at[1] != '?')) {
      at++;
      continue;
    }
    if (!is_letter(at[1 + is_end])) {
      if (drawings && is_cdata(at, end))
        give_up(page, TEMPLATE_CONTENT);
      at = behind_declaration(at, end);
      continue;
    }
    at = read_tag(&token, at + 1 + is_end, end, is_end, NULL);
    if (at == NULL)
      break;
    if (is_end) {
      depth -= token.tag == TAG_TEMPLATE;
      drawings -= token.tag == TAG_SVG && drawings;
      continue;
    }
    bool is_raw = TAG_KINDS[token.tag] & KIND_RAW;
    if (token.tag == TAG_MATH || token.tag == TAG_PLAINTEXT || token.tag == TAG_COL || token.tag == TAG_COLGROUP ||
        (drawings && (is_raw || token.tag == TAG_TEMPLATE))) {
      give_up(page, TEMPLATE_CONTENT);
      return;
    }
    depth += token.tag == TAG_TEMPLATE;
    drawings += token.tag == TAG_SVG && !token.is_self_closing;
    if (is_raw)
      at = behind_end_tag(end_of_content(at, end, token.tag, false), end);
  }
  page->at = at ? at : end;
}

static bool is_json_ld(struct page *page) {
  if (!has_value(&page->token, TYPE))
    return false;
  page->value.length = 0;
  struct name type = page->token.values[TYPE];
  if (!append_decoded(&page->value, type.at, type.length, true)) {
    no_memory(page);
    return false;
  }
  return mentions((struct name){page->value.at, (uint32_t)page->value.length}, "ld+json");
}

/* A script as it stands, its line ends as the standard has them. */
static void put_script(struct page *page, const uint8_t *at, const uint8_t *end) {
  put_record(page, 'J');
  check_template(page, (struct name){at, (uint32_t)(end - at)});
  for (const uint8_t *line_end; (line_end = memchr(at, '\r', (size_t)(end - at))) != NULL;) {
    if (!append(&page->fields, at, (size_t)(line_end - at)) || !append_byte(&page->fields, '\n'))
      no_memory(page);
    at = line_end + (end - line_end > 1 && line_end[1] == '\n' ? 2 : 1);
  }
  if (!append(&page->fields, at, (size_t)(end - at)) || !append_byte(&page->fields, 0))
    no_memory(page);
}

/* The element that holds text alone, of which the start tag was read. */
static void take_raw(struct page *page) {
  enum tag tag = page->raw;
  page->raw = TAG_UNKNOWN;
  if (tag == TAG_TEMPLATE) {
    skip_template(page);
    return;
  }
  const uint8_t *start = page->at, *stop = end_of_content(start, page->end, tag, page->templates_are_text);
  page->at = behind_end_tag(stop, page->end);
  if (tag == TAG_XMP || tag == TAG_NOEMBED)
    check_template(page, (struct name){start, (uint32_t)(stop - start)});
  if (tag == TAG_SCRIPT && is_json_ld(page))
    put_script(page, start, stop);
  if (tag == TAG_TITLE && !page->has_title) {
    page->has_title = true;
    put_record(page, 'T');
    put_field(page, (struct name){start, (uint32_t)(stop - start)}, false);
  }
  if (!page->in_body || TAG_KINDS[tag] & KIND_HIDDEN)
    return;
  entering(page, TAG_KINDS[tag]);
  if (!page->hidden && !(tag == TAG_TITLE ? append_marked_up : append_text)(
                           &page->text, start, (size_t)(stop - start), page->end, page->preformatted > 0))
    no_memory(page);
  leaving(page, TAG_KINDS[tag], false);
}

/* The doctype decides whether a <table> may stand in a <p>. */
static enum doctype doctype_of(const uint8_t *at, const uint8_t *end) {
  at += 9; /* <!doctype */
  while (at < end && is_space(*at))
    at++;
  if (!starts_with(at, end, "html") || (end - at > 4 && !is_space(at[4])))
    return UNSURE;
  at += 4;
  while (at < end && is_space(*at))
    at++;
  if (at == end)
    return STANDARD;
  if (!starts_with(at, end, "public"))
    return UNSURE;
  at += 6;
  while (at < end && is_space(*at))
    at++;
  if (at == end || (*at != '"' && *at != '\''))
    return UNSURE;
  const uint8_t *id = at + 1, *closed = memchr(id, *at, (size_t)(end - id));
  if (closed == NULL)
    return UNSURE;
  if (starts_with(id, closed, "-//w3c//dtd xhtml 1.") || starts_with(id, closed, "-//w3c//dtd html 4.01//"))
    return STANDARD;
  const uint8_t *system = closed + 1;
  while (system < end && is_space(*system))
    system++;
  if (starts_with(id, closed, "-//w3c//dtd html 4.01 transitional//") && system < end &&
      (*system == '"' || *system == '\'') && memchr(system + 1, *system, (size_t)(end - system) - 1))
    return STANDARD;
  return UNSURE;
}

/* Whether <? begins what is taken for a comment: an XML declaration, or no name. Others are nodes of their own. */
static bool is_like_comment(const uint8_t *at, const uint8_t *end) {
  if (end - at < 4)
    return false;
  return is_space(*at) || *at == '>' || *at == '=' || (!memcmp(at, "xml", 3) && is_space(at[3]));
}

/* Read what begins with <! or <?, or with </ and no letter. */
static void take_declaration(struct page *page, bool is_first) {
  if (current(page)->is_foreign && is_cdata(page->at, page->end)) {
    const uint8_t *at = page->at + 9;
    for (; page->end - at >= 3; at++)
      if (!memcmp(at, "]]>", 3)) {
        page->at = at + 3;
        return;
      }
    page->at = page->end;
    return;
  }
  if (page->at[1] == '?' && page->in_body && !page->hidden && !is_like_comment(page->at + 2, page->end))
    give_up(page, INSTRUCTION);
  const uint8_t *after = behind_declaration(page->at, page->end);
  if (is_first && page->doctype == NO_DOCTYPE && starts_with(page->at, after, "<!doctype"))
    page->doctype = doctype_of(page->at, after[-1] == '>' ? after - 1 : after);
  page->at = after;
}

static bool is_markup(const uint8_t *at, const uint8_t *end) {
  return end - at >= 2 && (is_letter(at[1]) || at[1] == '!' || at[1] == '?' || (at[1] == '/' && end - at >= 3));
}

/* Where the next tag or declaration begins; what else looks like one is text. */
static const uint8_t *next_markup(struct page *page) {
  while (page->next->at < page->at || (page->next->at < page->end && !is_markup(page->next->at, page->end)))
    page->next++;
  return page->next->at;
}

static void read_page(struct page *page) {
  bool is_first = true;
  while (page->at < page->end && page->outcome == SCANNED) {
    const uint8_t *start = page->at, *markup = next_markup(page);
    if (markup > start) {
      size_t length = (size_t)(markup - start);
      page->at = markup;
      take_text(page, start, length, memchr(start, '&', length) != NULL);
      for (const uint8_t *at = start; is_first && at < markup; at++)
        is_first = is_space(*at);
      continue;
    }
    bool is_end = start[1] == '/';
    if (!is_letter(start[1 + is_end])) {
      take_declaration(page, is_first);
      continue;
    }
    is_first = false;
    /* Attributes are counted only where there are many tags. */
    const uint8_t *closed = page->has_many_tags ? NULL : page->next->closed;
    const uint8_t *after = read_tag(&page->token, start + 1 + is_end, page->end, is_end, closed);
    if (after == NULL)
      return; /* the page ends in a tag, which does not count */
    page->at = after;
    if (page->templates_are_text && page->token.tag == TAG_TEMPLATE) {
      page->token.tag = TAG_NOFRAMES;
      if (current(page)->is_foreign)
        give_up(page, FOREIGN);
    }
    page->added += is_end ? 0 : ADDED_BY_TAG + page->token.name.length + 3 * (size_t)page->token.count;
    take_tag(page);
    if (page->raw != TAG_UNKNOWN && page->outcome == SCANNED)
      take_raw(page);
  }
}

static struct piece piece_of(const struct buffer *buffer) {
  static const uint8_t NOTHING[1] = {0};
  return (struct piece){buffer->at ? buffer->at : NOTHING, (int64_t)buffer->length};
}

/* Leave out links that are too long, those beyond the limit, and `#`, which counts towards the limit. */
static bool choose_links(struct page *page, uint32_t most, struct result *result) {
  struct links *links = &page->links;
  struct buffer chosen = {NULL, 0, 0};
  page->value.length = 0;
  if (!reserve(&page->value, links->count + 1) || !reserve(&chosen, links->hrefs.length + 1))
    return free(chosen.at), false;
  uint32_t count = 0;
  for (uint32_t nth = 0; nth < links->count && count < most; nth++) {
    struct link *link = &links->all[nth];
    const uint8_t *href = links->hrefs.at + link->start;
    if (is_too_long(href, link->length))
      continue;
    if (href[0] == '#') {
      most--;
      continue;
    }
    memcpy(chosen.at + chosen.length, href, link->length + 1);
    chosen.length += link->length + 1;
    page->value.at[count++] = link->is_nofollow;
    result->nofollow_count += link->is_nofollow;
  }
  page->value.length = count;
  free(links->hrefs.at);
  links->hrefs = chosen;
  result->links_count = count;
  return true;
}

void outrider_scan(const uint8_t *html, int64_t length, int32_t max_links, int32_t is_bounded, struct result *result) {
  *result = (struct result){0};
  struct page *page = calloc(1, sizeof *page);
  result->outcome = OUT_OF_MEMORY;
  if (page == NULL)
    return;
  result->memory = page;
  page->at = html;
  page->end = html + (length > 0 ? length : 0);
  check_bounds(page, is_bounded != 0);
  page->has_many_tags = page->has_many_tags || is_bounded == 2;
  if (page->outcome == SCANNED && !reserve(&page->text.out, (size_t)length + 16))
    no_memory(page);
  if (page->outcome == SCANNED) {
    push_implied(page, TAG_HTML);
    page->next = page->brackets.all;
    read_page(page);
    if (!page->in_body)
      page->text.out.length = 0;
    if (page->text.out.length > MOST_HTML / 2 || (page->has_many_tags && page->added + page->cloned > MOST_ADDED))
      give_up(page, TOO_LARGE);
  }
  if (page->outcome == SCANNED && !choose_links(page, (uint32_t)max_links, result))
    no_memory(page);
  result->outcome = page->outcome;
  result->reason = page->reason;
  result->words = count_words(&page->text);
  result->text = piece_of(&page->text.out);
  result->links = piece_of(&page->links.hrefs);
  result->nofollow = piece_of(&page->value);
  result->fields = piece_of(&page->fields);
}

void outrider_free(struct result *result) {
  struct page *page = result->memory;
  result->memory = NULL;
  if (page == NULL)
    return;
  free(page->brackets.all);
  free(page->text.out.at);
  free(page->links.hrefs.at);
  free(page->links.all);
  free(page->links.table);
  free(page->fields.at);
  free(page->value.at);
  free(page);
}

uint64_t table_seed = UINT64_C(0x9E3779B97F4A7C15);

void outrider_seed(uint64_t seed) { table_seed = seed; }

int32_t outrider_version(void) { return OUTRIDER_VERSION; }

#ifndef OUTRIDER_SOURCE
#define OUTRIDER_SOURCE ""
#endif

const char *outrider_source(void) { return OUTRIDER_SOURCE; }
