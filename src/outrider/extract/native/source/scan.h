/* What the compiled scan offers: one call for a page, one for the signature of a text, and the set of known links.
 *
 * The library knows nothing of Python. It has no state besides the seed, so any number of threads may call it; a set
 * of links belongs to one thread.
 */
#ifndef OUTRIDER_SCAN_H
#define OUTRIDER_SCAN_H

#include <stdint.h>

#define OUTRIDER_VERSION 3
#define EXPORTED __attribute__((visibility("default")))

/* How a scan ended. Only after SCANNED does the result hold anything. */
enum outcome {
  SCANNED = 0,
  UNUSUAL = 1,       /* a construct that moves text or links about: the reference has to read this page */
  CHECK_BOUNDS = 2,  /* the page may have to lose markup first, see tree/bounds.py */
  OUT_OF_MEMORY = 3,
};

/* Why a page is unusual, or doubtful; the names are in native/library.py. */
enum reason {
  USUAL = 0,
  HAS_NUL,
  NOT_UTF8,
  TOO_LARGE,
  TOO_DEEP,
  TOO_MANY_FORMATS,
  FOSTERED,
  FRAMES,
  MATH,
  FOREIGN,
  PLAIN_TEXT,
  REMOVED_BLOCK,
  REFERENCE_BETWEEN,
  OLD_DOCTYPE,
  TEMPLATE_CONTENT,
  INSTRUCTION,
  CROWDED, /* why CHECK_BOUNDS, if a tag may have too many attributes */
};

struct piece {
  const uint8_t *at;
  int64_t length;
};

/* Fields end with a zero byte, which no page that is read here contains. */
struct result {
  int32_t outcome;
  int32_t reason;
  int64_t words;
  int64_t links_count;
  int64_t nofollow_count;
  struct piece text;
  struct piece links;    /* hrefs, each with its zero; none that stays on the page */
  struct piece nofollow; /* a byte for each link */
  struct piece fields;   /* records of what the page says about itself, see `fields.h` */
  void *memory;
};

/* Read a page in UTF-8. `is_bounded`: the page went through tree/bounds.py, and 2: it has many tags. Free the
 * result in any case. */
EXPORTED void outrider_scan(const uint8_t *html, int64_t length, int32_t max_links, int32_t is_bounded,
                   struct result *result);
EXPORTED void outrider_free(struct result *result);

/* The signature of a text in UTF-8, 256 bytes; returns how many were written: 0 for a text that is too short.
 * `letters` is the table of similarity/word_hashes.py with `letters_count` entries. -1: out of memory. */
EXPORTED int32_t outrider_signature(const uint8_t *text, int64_t length, const uint16_t *letters, int64_t letters_count,
                           uint8_t *signature);

/* A set of links as pages spell them; NULL: out of memory. The key is secret. */
struct spellings;
EXPORTED struct spellings *outrider_spellings(uint64_t key, uint64_t more_key);
EXPORTED void outrider_free_spellings(struct spellings *known);

/* Add links, each with its zero, that mean the same on all pages of a place; returns how many the set has. Those for
 * which there is no memory are left out. */
EXPORTED int64_t outrider_recognise(struct spellings *known, const uint8_t *hrefs, int64_t length, uint64_t place);

/* Write the links that the set has not: neither, for links that begin with a slash, at the place `site`, nor, for
 * others, `everywhere`. `others` has room for all links. Returns how many bytes were written. */
EXPORTED int64_t outrider_unrecognised(const struct spellings *known, const uint8_t *hrefs, int64_t length, uint64_t site,
                              uint64_t everywhere, uint8_t *others);

/* Make the places of what is in a table unpredictable for those who write pages. */
EXPORTED void outrider_seed(uint64_t seed);
extern uint64_t table_seed;
EXPORTED int32_t outrider_version(void);

/* The hash of the sources that the library was built from. */
EXPORTED const char *outrider_source(void);

#endif
