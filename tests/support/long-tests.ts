/** Whether tests run with all cases in full size: `LONG_TESTS=1`, as set by `npm run test:long`. */
export const LONG = process.env.LONG_TESTS === "1";

/** The size of a performance test: `full` in a long run, otherwise `small`. */
export const sized = (small: number, full: number): number => (LONG ? full : small);

/** All cases in a long run, otherwise `most` of them, spread over the list. */
export const sampled = <Case>(cases: readonly Case[], most: number): Case[] =>
  cases.filter((_case, index) => LONG || index % Math.ceil(cases.length / most) === 0);
