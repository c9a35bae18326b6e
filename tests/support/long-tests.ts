/** Whether tests run with all cases in full size: `LONG_TESTS=1`, as set by `npm run test:long`. */
export const LONG = process.env.LONG_TESTS === "1";

/** The size of a performance test: `full` in a long run, otherwise `small`. */
export const sized = (small: number, full: number): number => (LONG ? full : small);
