/* The near-duplicate signature of a text: the same numbers as similarity/word_hashes.py and signature.py. */
#include <stdlib.h>
#include <string.h>

#include "scan.h"

#define VALUES 128
#define SHINGLE 3
#define MIN_WORDS 25
#define MAX_WORDS 100000
#define LONGEST_WORD 64
#define PIECE 65536
#define WINDOW 8
#define ALONE 0x8000
#define EMPTY UINT64_MAX
#define SPREAD UINT64_C(0x9E3779B97F4A7C15)
#define HEAD UINT64_C(0x9E3779B97F4A7C15)
#define TAIL UINT64_C(0xC2B2AE3D27D4EB4E)
#define SCRIPT UINT64_C(0xD6E8FEB86659FD93)
#define BIN_SHIFT 57
#define ROUND_SHIFT 48
#define WITHIN_ROUND ((UINT64_C(1) << 48) - 1)
#define DENSIFYING_HASHES (12 * VALUES)

static uint64_t mix(uint64_t value) {
  value ^= value >> 30;
  value *= UINT64_C(0xBF58476D1CE4E5B9);
  value ^= value >> 27;
  value *= UINT64_C(0x94D049BB133111EB);
  return value ^ value >> 31;
}

/* Little-endian, whatever the machine. */
static uint64_t eight_bytes(const uint8_t *at) {
  uint64_t value = 0;
  for (int nth = 7; nth >= 0; nth--)
    value = value << 8 | at[nth];
  return value;
}

/* A text is folded piece by piece, as in Python: what each character is in a word. */
struct words {
  uint64_t *hashes;
  size_t count;
  uint16_t *folded;  /* of the piece, with a window of zeros behind it */
  uint8_t *narrow;   /* the low bytes of the same */
};

static void hash_word(struct words *words, size_t start, size_t end) {
  size_t length = end - start, tail = length > WINDOW ? end - WINDOW : start;
  uint64_t hash = eight_bytes(words->narrow + start) * HEAD + eight_bytes(words->narrow + tail) * TAIL;
  if (length < WINDOW)
    hash <<= 8 * (WINDOW - length);
  words->hashes[words->count++] = hash + (uint64_t)(words->folded[start] >> 8) * SCRIPT;
}

/* The words of the piece; those beyond the most are counted no more. */
static void hash_piece(struct words *words, size_t length) {
  size_t at = 0;
  memset(words->folded + length, 0, WINDOW * sizeof *words->folded);
  memset(words->narrow + length, 0, WINDOW);
  while (at < length && words->count < MAX_WORDS) {
    if (words->folded[at] == 0) {
      at++;
      continue;
    }
    size_t start = at++;
    if (words->folded[start] < ALONE)
      while (at < length && words->folded[at] && words->folded[at] < ALONE)
        at++;
    hash_word(words, start, at);
  }
}

static size_t decode(const uint8_t *at, const uint8_t *end, uint32_t *code) {
  uint8_t first = at[0];
  size_t bytes = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (bytes == 1 || (size_t)(end - at) < bytes) {
    *code = first;
    return 1;
  }
  *code = first & (0x7F >> bytes);
  for (size_t nth = 1; nth < bytes; nth++)
    *code = *code << 6 | (at[nth] & 0x3F);
  return bytes;
}

/* Fold and hash up to a piece of the text, which ends behind its last space; how many bytes that were. */
static size_t take_piece(struct words *words, const uint8_t *text, const uint8_t *end, const uint16_t *letters,
                         int64_t letters_count, size_t characters_left) {
  size_t length = 0, after_space = 0, most = characters_left < PIECE ? characters_left : PIECE;
  const uint8_t *at = text, *behind_space = text;
  while (at < end && length < most) {
    uint32_t code;
    at += decode(at, end, &code);
    uint16_t folded = letters[code < letters_count ? code : letters_count - 1];
    words->folded[length] = folded;
    words->narrow[length++] = (uint8_t)folded;
    if (code == ' ' || code == '\n') {
      behind_space = at;
      after_space = length;
    }
  }
  if (at < end && most == PIECE && characters_left > PIECE && after_space) {
    at = behind_space;
    length = after_space;
  }
  hash_piece(words, length);
  return (size_t)(at - text);
}

static void put_minima(uint64_t *smallest, uint64_t hash, uint64_t worth) {
  uint64_t *bin = &smallest[hash >> BIN_SHIFT];
  if (worth < *bin)
    *bin = worth;
}

static int compare(const void *one, const void *other) {
  uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
  return (a > b) - (a < b);
}

/* Fill bins that are empty from further rounds of hashing; an earlier round goes first. */
static void densify(uint64_t *smallest, uint64_t *shingles, size_t count) {
  uint64_t filled[VALUES];
  memset(filled, 0xFF, sizeof filled);
  qsort(shingles, count, sizeof *shingles, compare);
  size_t distinct = 1;
  for (size_t nth = 1; nth < count; nth++)
    if (shingles[nth] != shingles[distinct - 1])
      shingles[distinct++] = shingles[nth];
  uint64_t rounds = DENSIFYING_HASHES / distinct;
  for (uint64_t round = 1; round <= (rounds ? rounds : 1); round++)
    for (size_t nth = 0; nth < distinct; nth++) {
      uint64_t hash = mix(shingles[nth] + round * SPREAD);
      put_minima(filled, hash, round << ROUND_SHIFT | (hash & WITHIN_ROUND));
    }
  for (size_t bin = 0; bin < VALUES; bin++)
    if (smallest[bin] == EMPTY)
      smallest[bin] = filled[bin];
}

static int32_t sign(struct words *words, uint8_t *signature) {
  if (words->count < MIN_WORDS)
    return 0;
  size_t count = words->count - SHINGLE + 1;
  uint64_t smallest[VALUES], *hashes = words->hashes;
  int has_empty = 0;
  memset(smallest, 0xFF, sizeof smallest);
  for (size_t nth = 0; nth < count; nth++) {
    hashes[nth] = mix((hashes[nth] * SPREAD + hashes[nth + 1]) * SPREAD + hashes[nth + 2]);
    put_minima(smallest, hashes[nth], hashes[nth]);
  }
  for (size_t bin = 0; bin < VALUES; bin++)
    has_empty |= smallest[bin] == EMPTY;
  if (has_empty)
    densify(smallest, hashes, count);
  for (size_t bin = 0; bin < VALUES; bin++) {
    signature[2 * bin] = (uint8_t)smallest[bin];
    signature[2 * bin + 1] = (uint8_t)(smallest[bin] >> 8);
  }
  return 2 * VALUES;
}

int32_t outrider_signature(const uint8_t *text, int64_t length, const uint16_t *letters, int64_t letters_count,
                           uint8_t *signature) {
  if (length <= 0 || letters_count <= 0)
    return 0;
  size_t piece = length < PIECE ? (size_t)length : PIECE;
  size_t most = length / 2 + 2 < MAX_WORDS ? (size_t)length / 2 + 2 : MAX_WORDS;
  struct words words = {NULL, 0, NULL, NULL};
  int32_t written = -1;
  /* In scripts without spaces each character, of two bytes or more, is a word. */
  words.hashes = malloc(most * sizeof *words.hashes);
  words.folded = malloc((piece + WINDOW) * sizeof *words.folded);
  words.narrow = malloc(piece + WINDOW);
  if (words.hashes && words.folded && words.narrow) {
    const uint8_t *at = text, *end = text + length;
    size_t characters_left = (size_t)MAX_WORDS * LONGEST_WORD;
    while (at < end && words.count < MAX_WORDS && characters_left) {
      size_t taken = take_piece(&words, at, end, letters, letters_count, characters_left), characters = 0;
      for (size_t nth = 0; nth < taken; nth++)
        characters += (at[nth] & 0xC0) != 0x80;
      characters_left -= characters < characters_left ? characters : characters_left;
      at += taken;
    }
    written = sign(&words, signature);
  }
  free(words.hashes);
  free(words.folded);
  free(words.narrow);
  return written;
}
