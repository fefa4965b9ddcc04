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

/* Copy eight bytes at a time as long as they are plain words with single spaces: most of most texts.
 *
 * Without this, the processor guesses wrong at the end of nearly every word.
 */
static void append_plain(struct text *text, const uint8_t **from, const uint8_t *end, uint8_t **to) {
  const uint8_t *at = *from;
  uint8_t *out = *to;
  enum gap gap = text->gap;
  size_t spaces = 0;
  for (uint64_t eight; end - at >= 8; at += 8) {
    memcpy(&eight, at, 8);
    if ((eight | ((eight - EACH(0x20)) & ~eight)) & EACH(0x80))
      break; /* other white space, controls, or not ASCII */
    uint64_t is_space = ~((eight ^ EACH(0x20)) + EACH(0x7F)) & EACH(0x80);
    if (is_space & is_space << 8)
      break; /* two spaces */
    if (gap != NO_GAP) {
      if (at[0] == ' ')
        break;
      if (out != text->out.at) {
        *out++ = gap == SPACE ? ' ' : '\n';
        spaces++;
      }
    }
    memcpy(out, &eight, 8);
    size_t is_last = at[7] == ' ';
    out += 8 - is_last;
    spaces += ((is_space >> 7) * EACH(1) >> 56) - is_last;
    gap = is_last ? SPACE : NO_GAP;
  }
  text->gap = gap;
  text->spaces += spaces;
  *from = at;
  *to = out;
}

static bool append_text(struct text *text, const uint8_t *at, size_t length, bool keeps_lines) {
  /* What is written is no longer than what is read, but for the gap that was left before. */
  if (!reserve(&text->out, length + 8))
    return false;
  const uint8_t *end = at + length;
  uint8_t *out = text->out.at + text->out.length;
  while (at < end) {
    if (end - at >= 8) {
      append_plain(text, &at, end, &out);
      if (at == end)
        break;
    }
    uint8_t byte = *at;
    size_t space;
    if (byte <= 0x20 || byte >= 0x80) {
      space = white_space(at, end);
      if (space) {
        if (keeps_lines && (byte == '\n' || byte == '\r'))
          text->gap = END_OF_LINE;
        else if (text->gap == NO_GAP)
          text->gap = SPACE;
        at += space;
        continue;
      }
    }
    if (text->gap != NO_GAP) {
      if (out != text->out.at) {
        *out++ = text->gap == SPACE ? ' ' : '\n';
        text->spaces++;
      }
      text->gap = NO_GAP;
    }
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
static bool append_marked_up(struct text *text, const uint8_t *at, size_t length, bool keeps_lines) {
  const uint8_t *end = at + length;
  while (at < end) {
    const uint8_t *reference = memchr(at, '&', (size_t)(end - at));
    if (reference == NULL)
      reference = end;
    if (!append_text(text, at, (size_t)(reference - at), keeps_lines))
      return false;
    if (reference == end)
      return true;
    uint8_t character[MOST_REPLACED];
    size_t written = 1, taken = read_reference(reference, end, false, character, &written);
    if (taken == 0) {
      character[0] = '&';
      written = taken = 1;
    }
    if (!append_text(text, character, written, keeps_lines && character[0] != '\r'))
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
