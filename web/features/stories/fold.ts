const SHOWN_LETTERS = 1400;
const WORTH_HIDING = 700;

/** How many blocks of a story stand above its fold, by how many letters each has; all of them where a fold would hide little. */
export function blocksAboveFold(letters: readonly number[]): number {
  const all = letters.reduce((sum, count) => sum + count, 0);
  let shown = 0;
  for (const [index, count] of letters.entries()) {
    shown += count;
    if (shown >= SHOWN_LETTERS) return all - shown >= WORTH_HIDING ? index + 1 : letters.length;
  }
  return letters.length;
}
