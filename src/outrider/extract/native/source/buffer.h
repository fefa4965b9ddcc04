/* Bytes that grow, with a bound; and what is white space where. */
#ifndef OUTRIDER_BUFFER_H
#define OUTRIDER_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lanes.h"

#define MOST_BYTES ((size_t)1 << 28)

struct buffer {
  uint8_t *at;
  size_t length;
  size_t capacity;
};

/* Make room for so many more bytes. After false nothing may be written. */
static bool reserve(struct buffer *buffer, size_t more) {
  if (buffer->capacity - buffer->length >= more)
    return true;
  if (more > MOST_BYTES || buffer->length + more > MOST_BYTES)
    return false;
  size_t capacity = buffer->capacity ? buffer->capacity : 1024;
  while (capacity - buffer->length < more)
    capacity *= 2;
  uint8_t *moved = realloc(buffer->at, capacity);
  if (moved == NULL)
    return false;
  buffer->at = moved;
  buffer->capacity = capacity;
  return true;
}

static bool append(struct buffer *buffer, const uint8_t *from, size_t length) {
  if (!reserve(buffer, length + 1))
    return false;
  if (length)
    memcpy(buffer->at + buffer->length, from, length);
  buffer->length += length;
  return true;
}

static bool append_byte(struct buffer *buffer, uint8_t byte) { return append(buffer, &byte, 1); }

/* White space of HTML. */
static bool is_space(uint8_t byte) {
  return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r' || byte == '\f';
}

static bool is_letter(uint8_t byte) { return (uint8_t)((byte | 0x20) - 'a') < 26; }

static bool is_digit(uint8_t byte) { return (uint8_t)(byte - '0') < 10; }

static uint8_t lower(uint8_t byte) { return (uint8_t)(byte - 'A') < 26 ? byte | 0x20 : byte; }

/* The bytes of a character by its first one. The page was checked: it is valid UTF-8. */
static size_t width(uint8_t first) { return first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4; }

/* How many bytes of white space as Python's `str.split` sees it stand at `at`, which is before `end`. */
static size_t white_space(const uint8_t *at, const uint8_t *end) {
  uint8_t first = at[0];
  if (first < 0x80)
    return (first >= 0x09 && first <= 0x0D) || (first >= 0x1C && first <= 0x20);
  if (first == 0xC2 && end - at >= 2)
    return at[1] == 0x85 || at[1] == 0xA0 ? 2 : 0;
  if (end - at < 3)
    return 0;
  if (first == 0xE1)
    return at[1] == 0x9A && at[2] == 0x80 ? 3 : 0;
  if (first == 0xE3)
    return at[1] == 0x80 && at[2] == 0x80 ? 3 : 0;
  if (first != 0xE2)
    return 0;
  if (at[1] == 0x80)
    return (at[2] >= 0x80 && at[2] <= 0x8A) || at[2] == 0xA8 || at[2] == 0xA9 || at[2] == 0xAF ? 3 : 0;
  return at[1] == 0x81 && at[2] == 0x9F ? 3 : 0;
}

/* Behind a character that is not ASCII; NULL: it is no UTF-8. */
static const uint8_t *behind_character(const uint8_t *at, const uint8_t *end) {
  uint8_t first = at[0];
  size_t bytes = first >= 0xC2 && first < 0xE0 ? 2 : (first & 0xF0) == 0xE0 ? 3 : first >= 0xF0 && first < 0xF5 ? 4 : 0;
  if (bytes == 0 || (size_t)(end - at) < bytes)
    return NULL;
  for (size_t nth = 1; nth < bytes; nth++)
    if ((at[nth] & 0xC0) != 0x80)
      return NULL;
  if ((first == 0xE0 && at[1] < 0xA0) || (first == 0xED && at[1] > 0x9F) || (first == 0xF0 && at[1] < 0x90) ||
      (first == 0xF4 && at[1] > 0x8F))
    return NULL;
  return at + bytes;
}

static bool is_utf8(const uint8_t *at, const uint8_t *end) {
  while (at < end) {
    uint64_t others = 0;
    while (end - at >= 32 && !beyond_ascii(eight_bytes(at) | eight_bytes(at + 8)) &&
           !beyond_ascii(eight_bytes(at + 16) | eight_bytes(at + 24)))
      at += 32;
    while (end - at >= 8 && !(others = beyond_ascii(eight_bytes(at))))
      at += 8;
    if (others)
      at += lowest(others) / 8;
    else if (at < end && *at < 0x80)
      at++;
    while (at < end && *at >= 0x80)
      if ((at = behind_character(at, end)) == NULL)
        return false;
  }
  return true;
}

#endif
