/* Character references, by the tokeniser of the standard. */
#ifndef OUTRIDER_REFERENCES_H
#define OUTRIDER_REFERENCES_H

#include "buffer.h"
#include "tables.h"

#define MOST_REPLACED 8 /* bytes that one reference stands for; the longest are two characters */

/* 0x80 to 0x9F mean what they mean in windows-1252. */
static const uint16_t WINDOWS_1252[32] = {
    0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x8D,   0x017D, 0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

static size_t put_character(uint32_t code, uint8_t *out) {
  if (code < 0x80) {
    out[0] = (uint8_t)code;
    return 1;
  }
  if (code < 0x800) {
    out[0] = (uint8_t)(0xC0 | code >> 6);
    out[1] = (uint8_t)(0x80 | (code & 0x3F));
    return 2;
  }
  if (code < 0x10000) {
    out[0] = (uint8_t)(0xE0 | code >> 12);
    out[1] = (uint8_t)(0x80 | (code >> 6 & 0x3F));
    out[2] = (uint8_t)(0x80 | (code & 0x3F));
    return 3;
  }
  out[0] = (uint8_t)(0xF0 | code >> 18);
  out[1] = (uint8_t)(0x80 | (code >> 12 & 0x3F));
  out[2] = (uint8_t)(0x80 | (code >> 6 & 0x3F));
  out[3] = (uint8_t)(0x80 | (code & 0x3F));
  return 4;
}

static int digit_value(uint8_t byte, bool is_hex) {
  if (is_digit(byte))
    return byte - '0';
  byte = lower(byte);
  return is_hex && byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

/* `&#…` */
static size_t numeric_reference(const uint8_t *at, const uint8_t *end, uint8_t *out, size_t *written) {
  const uint8_t *digit = at + 2;
  bool is_hex = digit < end && lower(*digit) == 'x';
  digit += is_hex;
  const uint8_t *first = digit;
  uint32_t code = 0;
  for (int value; digit < end && (value = digit_value(*digit, is_hex)) >= 0; digit++)
    if (code <= 0x10FFFF)
      code = code * (is_hex ? 16 : 10) + (uint32_t)value;
  if (digit == first)
    return 0;
  if (digit < end && *digit == ';')
    digit++;
  if (code == 0 || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
    code = 0xFFFD;
  else if (code >= 0x80 && code <= 0x9F)
    code = WINDOWS_1252[code - 0x80];
  *written = put_character(code, out);
  return (size_t)(digit - at);
}

static const struct reference *find_reference(const uint8_t *name, size_t length) {
  size_t low = 0, high = REFERENCE_COUNT;
  while (low < high) {
    size_t middle = (low + high) / 2;
    int order = strncmp((const char *)name, REFERENCES[middle].name, length);
    if (order == 0 && REFERENCES[middle].name[length] != '\0')
      order = -1;
    if (order == 0)
      return &REFERENCES[middle];
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return NULL;
}

/* How many bytes the reference at `at`, an ampersand, takes, and what it stands for; 0: it is none. */
static size_t read_reference(const uint8_t *at, const uint8_t *end, bool in_attribute, uint8_t out[MOST_REPLACED],
                             size_t *written) {
  if (end - at < 3)
    return 0;
  if (at[1] == '#')
    return numeric_reference(at, end, out, written);
  size_t length = 0, most = (size_t)(end - at) - 1;
  if (most > LONGEST_REFERENCE)
    most = LONGEST_REFERENCE;
  while (length < most && (is_letter(at[1 + length]) || is_digit(at[1 + length])))
    length++;
  if (length < most && at[1 + length] == ';')
    length++;
  for (; length >= 2; length--) {
    const struct reference *found = find_reference(at + 1, length);
    if (found == NULL)
      continue;
    const uint8_t *after = at + 1 + length;
    if (in_attribute && after[-1] != ';' && after < end && (*after == '=' || is_letter(*after) || is_digit(*after)))
      return 0;
    *written = strlen(found->text);
    memcpy(out, found->text, *written);
    return 1 + length;
  }
  return 0;
}

/* A value or a text without its references, its line ends as the standard has them. */
static bool append_decoded(struct buffer *buffer, const uint8_t *at, size_t length, bool in_attribute) {
  const uint8_t *end = at + length;
  /* No reference stands for more bytes than half as many again as it takes. */
  if (!reserve(buffer, 2 * length + MOST_REPLACED))
    return false;
  uint8_t *out = buffer->at + buffer->length;
  while (at < end) {
    size_t written = 0, taken = *at == '&' ? read_reference(at, end, in_attribute, out, &written) : 0;
    if (taken) {
      at += taken;
      out += written;
    } else if (*at == '\r') {
      at += end - at > 1 && at[1] == '\n' ? 2 : 1;
      *out++ = '\n';
    } else {
      *out++ = *at++;
    }
  }
  buffer->length = (size_t)(out - buffer->at);
  return true;
}

#endif
