/* Many bytes at once: which of the next 64 are a certain one.
 *
 * Every x86-64 has SSE2. Elsewhere eight bytes are looked at as one number, which takes some three times as long.
 */
#ifndef OUTRIDER_LANES_H
#define OUTRIDER_LANES_H

#include <stdint.h>
#include <string.h>
#if defined(__SSE2__) && !defined(OUTRIDER_WITHOUT_SSE2)
#include <emmintrin.h>
#endif

#define LANES 64
#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Eight bytes as a number, the first one lowest, whatever the machine. */
static inline uint64_t eight_bytes(const uint8_t *at) {
  uint64_t value;
  memcpy(&value, at, 8);
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
  value = __builtin_bswap64(value);
#endif
  return value;
}

/* The highest bit of the first of eight bytes that is `byte`, and of the first one that is not above it, which is
 * ASCII. Bits of later bytes say nothing. */
static inline uint64_t first_of(uint64_t eight, uint8_t byte) {
  uint64_t other = eight ^ EACH(byte);
  return (other - EACH(1)) & ~other & EACH(0x80);
}

static inline uint64_t first_up_to(uint64_t eight, uint8_t byte) {
  return (eight - EACH(byte + 1)) & ~eight & EACH(0x80);
}

/* The highest bits of all of eight bytes that are `byte`. */
static inline uint64_t all_of(uint64_t eight, uint8_t byte) {
  uint64_t other = eight ^ EACH(byte);
  return ~(((other & EACH(0x7F)) + EACH(0x7F)) | other) & EACH(0x80);
}

/* The highest bits of all that are not ASCII. */
static inline uint64_t beyond_ascii(uint64_t eight) { return eight & EACH(0x80); }

/* Up to seven of eight bytes, and zeros. */
static inline uint64_t first_bytes(uint64_t eight, size_t count) { return eight & ((UINT64_C(1) << 8 * count) - 1); }

/* Eight bytes with small letters in place of the large ones of ASCII. */
static inline uint64_t small_letters(uint64_t eight) {
  uint64_t low = eight & EACH(0x7F);
  uint64_t is_large = ((low + EACH(0x80 - 'A')) ^ (low + EACH(0x80 - 'Z' - 1))) & ~eight & EACH(0x80);
  return eight | is_large >> 2;
}

/* Which bit is the first and the last; there has to be one. */
static inline unsigned lowest(uint64_t bits) { return (unsigned)__builtin_ctzll(bits); }

static inline unsigned highest(uint64_t bits) { return 63 - (unsigned)__builtin_clzll(bits); }

/* The highest bits of eight bytes side by side; all other bits have to be clear. */
static inline uint64_t eight_bits(uint64_t highest) { return (highest >> 7) * UINT64_C(0x0102040810204080) >> 56; }

/* A bit for each of 64 bytes that is `byte`, the first one lowest. */
static inline uint64_t lanes_with(const uint8_t *at, uint8_t byte) {
  uint64_t found = 0;
#if defined(__SSE2__) && !defined(OUTRIDER_WITHOUT_SSE2)
  __m128i wanted = _mm_set1_epi8((char)byte);
  for (unsigned nth = 0; nth < LANES; nth += 16) {
    __m128i is_it = _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(const void *)(at + nth)), wanted);
    found |= (uint64_t)(uint32_t)_mm_movemask_epi8(is_it) << nth;
  }
#else
  for (unsigned nth = 0; nth < LANES; nth += 8)
    found |= eight_bits(all_of(eight_bytes(at + nth), byte)) << nth;
#endif
  return found;
}

/* A bit for each of 64 bytes that is below the space or beyond ASCII. */
static inline uint64_t lanes_not_plain(const uint8_t *at) {
  uint64_t found = 0;
#if defined(__SSE2__) && !defined(OUTRIDER_WITHOUT_SSE2)
  __m128i below = _mm_set1_epi8(' ' - 1); /* bytes beyond ASCII count as negative */
  for (unsigned nth = 0; nth < LANES; nth += 16) {
    __m128i is_plain = _mm_cmpgt_epi8(_mm_loadu_si128((const __m128i *)(const void *)(at + nth)), below);
    found |= (uint64_t)(uint16_t)~_mm_movemask_epi8(is_plain) << nth;
  }
#else
  for (unsigned nth = 0; nth < LANES; nth += 8) {
    uint64_t eight = eight_bytes(at + nth);
    found |= eight_bits((~((eight & EACH(0x7F)) + EACH(0x80 - ' ')) | eight) & EACH(0x80)) << nth;
  }
#endif
  return found;
}

/* How many bits are set. */
static inline size_t count_of(uint64_t bits) {
  bits -= (bits >> 1) & EACH(0x55);
  bits = (bits & EACH(0x33)) + ((bits >> 2) & EACH(0x33));
  return (((bits + (bits >> 4)) & EACH(0x0F)) * EACH(1)) >> 56;
}

#endif
