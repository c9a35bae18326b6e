/** Numbers from 0 to 1 that look random and are the same for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return () => {
    // The 32-bit linear congruential step of Numerical Recipes; its high bits are good enough to paint with.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 4) / 2 ** 28;
  };
}
