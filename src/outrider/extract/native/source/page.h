/* The state of one scan. */
#ifndef OUTRIDER_PAGE_H
#define OUTRIDER_PAGE_H

#include "brackets.h"
#include "buffer.h"
#include "links.h"
#include "scan.h"
#include "tables.h"
#include "text.h"

#define MOST_OPEN 400    /* elements; tree/nesting.py starts to cut at 512 */
#define MOST_FORMATS 64  /* formatting elements that wait to be opened again */
#define MOST_CLONED (1 << 20) /* bytes of tags that are opened again */

enum mode {
  BEFORE_HEAD,
  IN_HEAD,
  IN_HEAD_NOSCRIPT,
  AFTER_HEAD,
  IN_BODY,
  IN_TABLE,
  IN_CAPTION,
  IN_COLUMN_GROUP,
  IN_TABLE_BODY,
  IN_ROW,
  IN_CELL,
};

enum doctype { NO_DOCTYPE, STANDARD, QUIRKS, UNSURE };

struct name {
  const uint8_t *at;
  uint32_t length;
};

struct element {
  uint32_t id; /* different for each element of the page */
  uint32_t kinds;
  enum tag tag;
  bool is_foreign;  /* in <svg> */
  bool ends_line;   /* although it is inline: it was the last one in a block that is no longer open */
  bool is_the_form; /* which the next </form> closes */
  struct name name; /* in the page */
};

/* An entry of the list of active formatting elements; a marker has no tag. */
struct format {
  uint32_t id;
  enum tag tag;
  struct name attributes; /* as its tag has them */
};

enum attribute {
  HREF,
  REL,
  XLINK_HREF,
  NAME,
  PROPERTY,
  ITEMPROP,
  HTTP_EQUIV,
  CONTENT,
  LANG,
  XML_LANG,
  TYPE,
  FONT, /* color, face or size */
  ATTRIBUTE_COUNT,
};

struct token {
  enum tag tag;
  bool is_end;
  bool is_self_closing;
  uint32_t count; /* of its attributes */
  struct name name;
  uint32_t present;    /* a bit for each attribute that was there */
  uint32_t with_value; /* and had a value, if only an empty one in quotes */
  struct name values[ATTRIBUTE_COUNT];
  struct name attributes; /* all of them as they were written, of a formatting element */
};

struct page {
  const uint8_t *at;
  const uint8_t *end;
  enum outcome outcome;
  enum reason reason;
  enum mode mode;
  enum doctype doctype;
  bool has_many_tags;      /* then nesting.py looks at the page */
  bool templates_are_text; /* and reads a <template> as <noframes> */
  bool in_body;      /* whether <body> has begun: only there is text visible */
  bool has_form;     /* a form was opened and no </form> came since, even if it is not open any more */
  bool has_title;
  bool has_language;
  bool has_xml_language;
  enum tag raw;      /* the element whose content has to be read as text now */
  uint32_t hidden;   /* open elements that hide their text */
  uint32_t preformatted;
  uint32_t ids;
  uint32_t cloned;   /* bytes */
  size_t added;      /* bytes that a page grows by when its tree is written out, at most */
  uint32_t depth;
  uint32_t formats_count;
  struct brackets brackets;
  const struct bracket *next; /* the one at `at`, or behind it */
  struct text text;
  struct links links;
  struct buffer fields;
  struct buffer value; /* of an attribute, while it is looked at */
  struct token token;
  struct element open[MOST_OPEN];
  struct format formats[MOST_FORMATS];
};

/* Stop: the reference has to read this page. */
static void give_up(struct page *page, enum reason reason) {
  if (page->outcome == SCANNED) {
    page->outcome = UNUSUAL;
    page->reason = reason;
  }
}

static void no_memory(struct page *page) { page->outcome = OUT_OF_MEMORY; }

#endif
