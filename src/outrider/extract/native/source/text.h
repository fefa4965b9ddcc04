/* The visible text: a line for each block, white space folded, words counted on the way.
 *
 * The same as `tree/page_text.py` and `folding.py` make of the tree.
 */
#ifndef OUTRIDER_TEXT_H
#define OUTRIDER_TEXT_H

#include "buffer.h"
#include "lanes.h"
#include "references.h"

#define SAMPLE 2000 /* characters in which a text shows how it is written, see article/quality.py */

enum gap { NO_GAP, SPACE, END_OF_LINE };

struct text {
  struct buffer out;
  enum gap gap;      /* what stands between what was written and the next character */
  size_t spaces;     /* and other bytes that sort below them */
  size_t unspaced;   /* characters of scripts that are written without spaces */
  bool is_unspaced;  /* whether the beginning has one */
};

static bool is_unspaced(uint32_t code) {
  return (code >= 0x0E00 && code <= 0x0EFF) || (code >= 0x1780 && code <= 0x17FF) ||
         (code >= 0x3040 && code <= 0x30FF) || (code >= 0x3400 && code <= 0x4DBF) ||
         (code >= 0x4E00 && code <= 0x9FFF);
}

static void note_unspaced(struct text *text, const uint8_t *written) {
  if (text->unspaced++ == 0) {
    size_t characters = 0;
    for (const uint8_t *at = text->out.at; at < written && characters < SAMPLE; at++)
      characters += (*at & 0xC0) != 0x80;
    text->is_unspaced = characters < SAMPLE;
  }
}

/* Of eight bytes, those that are no plain words with single spaces between them. Only the first one is sure. */
static inline uint64_t not_plain(uint64_t eight, uint64_t is_space) {
  return (is_space & is_space << 8) | first_up_to(eight, 0x1F) | beyond_ascii(eight);
}

/* Copy plain words, 64 bytes at a time. The first byte is of a word, and what stands before it was written. */
static void append_plain_lanes(struct text *text, const uint8_t **from, const uint8_t *end, uint8_t **to) {
  const uint8_t *at = *from;
  uint8_t *out = *to;
  while (end - at >= LANES) {
    uint64_t is_space = lanes_with(at, ' ');
    if ((is_space & is_space << 1) | lanes_not_plain(at))
      break;
    memcpy(out, at, LANES);
    size_t is_last = is_space >> 63; /* it waits for what follows: the next byte may be a space, too */
    text->spaces += count_of(is_space) - is_last;
    at += LANES - is_last;
    out += LANES - is_last;
  }
  *from = at;
  *to = out;
}

/* Copy plain words, eight bytes at a time: most of most texts. Bytes up to `readable` may be read.
 *
 * Without this, the processor guesses wrong at the end of nearly every word.
 */
static void append_plain(struct text *text, const uint8_t **from, const uint8_t *end, const uint8_t *readable,
                         uint8_t **to) {
  const uint8_t *at = *from;
  uint8_t *out = *to;
  enum gap gap = text->gap;
  size_t spaces = 0;
  for (size_t plain = 8; plain == 8 && at < end && readable - at >= 8; at += plain) {
    uint64_t eight = eight_bytes(at), is_space = ~((eight ^ EACH(' ')) + EACH(0x7F)) & EACH(0x80);
    uint64_t others = not_plain(eight, is_space);
    if (end - at < 8)
      others |= UINT64_C(0x80) << 8 * (end - at);
    if (gap != NO_GAP) {
      if (at[0] == ' ')
        break;
      if (out != text->out.at && !(others & 0x80)) {
        *out++ = gap == SPACE ? ' ' : '\n';
        spaces++;
      }
    }
    memcpy(out, at, 8);
    if (others) {
      plain = lowest(others) / 8;
      if (plain == 0)
        break;
      is_space = first_bytes(is_space, plain);
    }
    size_t is_last = at[plain - 1] == ' ';
    out += plain - is_last;
    spaces += ((is_space >> 7) * EACH(1) >> 56) - is_last;
    gap = is_last ? SPACE : NO_GAP;
  }
  text->gap = gap;
  text->spaces += spaces;
  *from = at;
  *to = out;
}

/* Go over white space; lines count where they are kept. */
static const uint8_t *behind_white_space(struct text *text, const uint8_t *at, const uint8_t *end, bool keeps_lines) {
  for (size_t space; at < end && (space = white_space(at, end)); at += space) {
    if (keeps_lines && (*at == '\n' || *at == '\r'))
      text->gap = END_OF_LINE;
    else if (text->gap == NO_GAP)
      text->gap = SPACE;
    if (end - at >= 8 && eight_bytes(at) == EACH(' '))
      space = 8;
  }
  return at;
}

/* Write the gap that was left before the next character. */
static void close_gap(struct text *text, uint8_t **to) {
  if (text->gap != NO_GAP && *to != text->out.at) {
    *(*to)++ = text->gap == SPACE ? ' ' : '\n';
    text->spaces++;
  }
  text->gap = NO_GAP;
}

static bool append_text(struct text *text, const uint8_t *at, size_t length, const uint8_t *readable,
                        bool keeps_lines) {
  /* What is written is no longer than what is read, but for the gap that was left before. */
  if (!reserve(&text->out, length + 16))
    return false;
  const uint8_t *end = at + length;
  uint8_t *out = text->out.at + text->out.length;
  while (at < end) {
    at = behind_white_space(text, at, end, keeps_lines);
    if (at == end)
      break;
    if (*at > 0x20 && *at < 0x80 && readable - at >= 8) {
      if (end - at >= LANES) {
        close_gap(text, &out);
        append_plain_lanes(text, &at, end, &out);
      }
      append_plain(text, &at, end, readable, &out);
      continue;
    }
    close_gap(text, &out);
    uint8_t byte = *at;
    if (byte < 0x80) {
      text->spaces += byte <= 0x20;
      *out++ = byte;
      at++;
      continue;
    }
    size_t bytes = width(byte);
    if (bytes == 3 && is_unspaced((uint32_t)(byte & 0x0F) << 12 | (uint32_t)(at[1] & 0x3F) << 6 | (at[2] & 0x3F)))
      note_unspaced(text, out);
    while (bytes--)
      *out++ = *at++;
  }
  text->out.length = (size_t)(out - text->out.at);
  return true;
}

/* The same for a text with references. */
static bool append_marked_up(struct text *text, const uint8_t *at, size_t length, const uint8_t *readable,
                             bool keeps_lines) {
  const uint8_t *end = at + length;
  while (at < end) {
    const uint8_t *reference = memchr(at, '&', (size_t)(end - at));
    if (reference == NULL)
      reference = end;
    if (!append_text(text, at, (size_t)(reference - at), readable, keeps_lines))
      return false;
    if (reference == end)
      return true;
    uint8_t character[MOST_REPLACED] = {0};
    size_t written = 1, taken = read_reference(reference, end, false, character, &written);
    if (taken == 0) {
      character[0] = '&';
      written = taken = 1;
    }
    if (!append_text(text, character, written, character + MOST_REPLACED, keeps_lines && character[0] != '\r'))
      return false;
    at = reference + taken;
  }
  return true;
}

static void end_line(struct text *text) { text->gap = END_OF_LINE; }

static int64_t count_words(const struct text *text) {
  if (text->out.length == 0)
    return 0;
  return (int64_t)(text->spaces + 1 + (text->is_unspaced ? text->unspaced / 2 : 0));
}

#endif
