/* The near-duplicate signature of a text: the same numbers as similarity/word_hashes.py and signature.py. */
#include <stdlib.h>
#include <string.h>

#include "lanes.h"
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

/* A text is folded piece by piece, as in Python: what each character is in a word. */
struct words {
  uint64_t *hashes;
  size_t count;
  size_t room;
  uint8_t *narrow;  /* of the piece, with a block of zeros behind it: the low bytes */
  uint16_t *folded; /* all of them; only for a piece with characters that are words of their own */
};

/* A word by its first and its last eight bytes. No branches: the processor cannot guess the length of a word. */
static inline uint64_t hash_word(const uint8_t *word, size_t length) {
  size_t beyond = (length - WINDOW) & -(size_t)(length > WINDOW);
  size_t missing = (WINDOW - length) & -(size_t)(length < WINDOW);
  return (eight_bytes(word) * HEAD + eight_bytes(word + beyond) * TAIL) << 8 * missing;
}

/* The words of a piece in which only letters make words: where bits change, one begins or ends. Words beyond the most
 * are written over each other. The count is a variable: in memory it could be one of the hashes, for all that the
 * compiler knows. */
static void hash_letters(struct words *words, size_t length) {
  const uint8_t *narrow = words->narrow;
  uint64_t *hashes = words->hashes, before = 0;
  size_t start = 0, count = words->count, room = words->room;
  memset(words->narrow + length, 0, LANES + WINDOW);
  for (size_t block = 0; block <= length; block += LANES) {
    uint64_t letters = ~lanes_with(narrow + block, 0);
    uint64_t shifted = letters << 1 | before, starts = letters & ~shifted, ends = ~letters & shifted;
    if (starts && !before) {
      start = block + lowest(starts);
      starts &= starts - 1;
    }
    before = letters >> 63;
    for (; ends; ends &= ends - 1) {
      hashes[count] = hash_word(narrow + start, block + lowest(ends) - start);
      count += count < room;
      start = block + (starts ? lowest(starts) : 0);
      starts &= starts - 1;
    }
  }
  words->count = count;
}

/* The words of a piece with characters that are words of their own. */
static void hash_mixed(struct words *words, size_t length) {
  size_t at = 0;
  memset(words->narrow + length, 0, WINDOW);
  while (at < length) {
    if (words->folded[at] == 0) {
      at++;
      continue;
    }
    size_t start = at++;
    if (words->folded[start] < ALONE)
      while (at < length && words->folded[at] && words->folded[at] < ALONE)
        at++;
    uint64_t script = (uint64_t)(words->folded[start] >> 8) * SCRIPT;
    words->hashes[words->count] = hash_word(words->narrow + start, at - start) + script;
    words->count += words->count < words->room;
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

/* The table of letters. */
struct letters {
  const uint16_t *folded;
  size_t count;
  int is_usual; /* whether for ASCII it says the same as `usual_letter` */
};

/* What a character of ASCII is in a word. Without branches and tables, so that compilers do many at once. */
static inline uint8_t usual_letter(uint8_t code) {
  uint8_t small = code | (uint8_t)((uint8_t)((uint8_t)(code - 'A') < 26) << 5);
  uint8_t is_letter = ((uint8_t)(small - 'a') < 26) | ((uint8_t)(small - '0') < 10) | (small == '_');
  return (uint8_t)(small + 1) & (uint8_t)-is_letter;
}

static int is_usual(const uint16_t *letters) {
  for (unsigned code = 0; code < 128; code++)
    if (letters[code] != usual_letter((uint8_t)code))
      return 0;
  return 1;
}

#define CHUNK 32

static void fold_chunk(uint8_t *restrict to, const uint8_t *restrict from) {
  for (size_t nth = 0; nth < CHUNK; nth++)
    to[nth] = usual_letter(from[nth]);
}

static void widen_chunk(uint16_t *restrict to, const uint8_t *restrict from) {
  for (size_t nth = 0; nth < CHUNK; nth++)
    to[nth] = from[nth];
}

static int is_ascii_chunk(const uint8_t *at) {
  uint64_t all = 0;
  for (size_t nth = 0; nth < CHUNK; nth += 8)
    all |= eight_bytes(at + nth);
  return !(all & EACH(0x80));
}

/* Fold and hash up to a piece of the text, which ends behind its last space; how many bytes that were. */
static size_t take_piece(struct words *words, const uint8_t *text, const uint8_t *end, const struct letters *letters,
                         size_t *characters_left) {
  size_t length = 0, most = *characters_left < PIECE ? *characters_left : PIECE;
  const uint8_t *at = text;
  int has_alone = 0;
  while (at < end && length < most) {
    while (letters->is_usual && end - at >= CHUNK && most - length >= CHUNK && is_ascii_chunk(at)) {
      fold_chunk(words->narrow + length, at);
      if (letters->count > 128)
        widen_chunk(words->folded + length, words->narrow + length);
      length += CHUNK;
      at += CHUNK;
    }
    if (at == end || length == most)
      break;
    uint32_t code;
    at += decode(at, end, &code);
    uint16_t folded = letters->folded[code < letters->count ? code : letters->count - 1];
    has_alone |= folded >= ALONE;
    words->narrow[length] = (uint8_t)folded;
    words->folded[length++] = folded;
  }
  if (at < end && *characters_left > PIECE) {
    const uint8_t *cut = at;
    size_t kept = length;
    while (cut > text && cut[-1] != ' ' && cut[-1] != '\n')
      kept -= (*--cut & 0xC0) != 0x80;
    if (cut > text) {
      at = cut;
      length = kept;
    }
  }
  (has_alone ? hash_mixed : hash_letters)(words, length);
  *characters_left -= length;
  return (size_t)(at - text);
}

static void put_minima(uint64_t *smallest, uint64_t hash, uint64_t worth) {
  uint64_t *bin = &smallest[hash >> BIN_SHIFT];
  *bin = worth < *bin ? worth : *bin;
}

/* Keep each of the numbers once, and tell how many there are; 0: no memory. */
static size_t keep_distinct(uint64_t *numbers, size_t count) {
  unsigned bits = 8;
  while ((size_t)1 << bits < 2 * count)
    bits++;
  size_t distinct = 0, mask = ((size_t)1 << bits) - 1;
  uint32_t *table = calloc(mask + 1, sizeof *table); /* by hash: the place of a number plus one */
  if (table == NULL)
    return 0;
  for (size_t nth = 0; nth < count; nth++) {
    size_t place = (size_t)(numbers[nth] * (table_seed | 1) >> (64 - bits));
    while (table[place] && numbers[table[place] - 1] != numbers[nth])
      place = (place + 1) & mask;
    if (table[place])
      continue;
    numbers[distinct] = numbers[nth];
    table[place] = (uint32_t)++distinct;
  }
  free(table);
  return distinct;
}

/* Fill bins that are empty from further rounds of hashing; an earlier round goes first. False: no memory. */
static int densify(uint64_t *smallest, uint64_t *shingles, size_t count) {
  uint64_t filled[VALUES];
  memset(filled, 0xFF, sizeof filled);
  size_t distinct = keep_distinct(shingles, count);
  if (distinct == 0)
    return 0;
  uint64_t rounds = DENSIFYING_HASHES / distinct;
  for (uint64_t round = 1; round <= (rounds ? rounds : 1); round++)
    for (size_t nth = 0; nth < distinct; nth++) {
      uint64_t hash = mix(shingles[nth] + round * SPREAD);
      put_minima(filled, hash, round << ROUND_SHIFT | (hash & WITHIN_ROUND));
    }
  for (size_t bin = 0; bin < VALUES; bin++)
    if (smallest[bin] == EMPTY)
      smallest[bin] = filled[bin];
  return 1;
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
  if (has_empty && !densify(smallest, hashes, count))
    return -1;
  for (size_t bin = 0; bin < VALUES; bin++) {
    signature[2 * bin] = (uint8_t)smallest[bin];
    signature[2 * bin + 1] = (uint8_t)(smallest[bin] >> 8);
  }
  return 2 * VALUES;
}

int32_t outrider_signature(const uint8_t *text, int64_t length, const uint16_t *letters, int64_t letters_count,
                           uint8_t *signature) {
  if (length <= 0 || letters_count < 128)
    return 0;
  size_t piece = length < PIECE ? (size_t)length : PIECE;
  struct letters table = {letters, (size_t)letters_count, is_usual(letters)};
  /* Every second byte may begin a word; what is a word of its own has three bytes and more. */
  struct words words = {.room = length / 2 + 2 < MAX_WORDS ? (size_t)length / 2 + 2 : MAX_WORDS};
  int32_t written = -1;
  words.hashes = malloc((words.room + 1) * sizeof *words.hashes);
  words.folded = malloc(piece * sizeof *words.folded);
  words.narrow = malloc(piece + 2 * LANES + WINDOW);
  if (words.hashes && words.folded && words.narrow) {
    const uint8_t *at = text, *end = text + length;
    size_t characters_left = (size_t)MAX_WORDS * LONGEST_WORD;
    while (at < end && words.count < MAX_WORDS && characters_left)
      at += take_piece(&words, at, end, &table, &characters_left);
    written = sign(&words, signature);
  }
  free(words.hashes);
  free(words.folded);
  free(words.narrow);
  return written;
}
