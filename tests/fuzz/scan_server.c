/* Scans the pages that come in: a length of four bytes in the order of the machine, then the page, again and again.
 *
 * Built with sanitizers, it dies of any access out of bounds. Each page is copied into memory of exactly its size,
 * so that no byte beyond its end goes unnoticed. Answers with one byte, the outcome.
 */
#include <stdio.h>
#include <stdlib.h>

#include "scan.h"

/* Ask for the links of a page, half of which are known, and once more when all are. */
static int check_links(const struct result *result, struct spellings *known) {
  int64_t length = result->links.length, half = length / 2;
  uint8_t *others = malloc(length ? (size_t)length : 1);
  if (others == NULL)
    return 2;
  while (half && result->links.at[half - 1])
    half--;
  outrider_recognise(known, result->links.at, half, 1);
  outrider_recognise(known, result->links.at, half, 2);
  int64_t left = outrider_unrecognised(known, result->links.at, length, 1, 2, others);
  outrider_recognise(known, others, left, 1);
  outrider_recognise(known, others, left, 2);
  left = outrider_unrecognised(known, result->links.at, length, 1, 2, others);
  free(others);
  return left ? 3 : 0;
}

int main(void) {
  uint32_t length;
  static uint16_t letters[128];
  for (int code = 0; code < 128; code++)
    letters[code] = (uint16_t)(code > ' ' ? code : 0);
  while (fread(&length, sizeof length, 1, stdin) == 1) {
    uint8_t *page = malloc(length ? length : 1), signature[256];
    if (page == NULL || fread(page, 1, length, stdin) != length)
      return 2;
    struct result result;
    uint8_t outcome = 0;
    for (int32_t bounds = 0; bounds <= 2; bounds++) {
      outrider_scan(page, length, 1000, bounds, &result);
      outcome = (uint8_t)result.outcome;
      if (outcome == SCANNED) {
        outrider_signature(result.text.at, result.text.length, letters, 128, signature);
        struct spellings *known = outrider_spellings(length, 7);
        int failed = known == NULL ? 2 : check_links(&result, known);
        outrider_free_spellings(known);
        if (failed)
          return failed;
      }
      outrider_free(&result);
    }
    outrider_signature(page, length, letters, 128, signature);
    free(page);
    if (fwrite(&outcome, 1, 1, stdout) != 1 || fflush(stdout))
      return 2;
  }
  return 0;
}
