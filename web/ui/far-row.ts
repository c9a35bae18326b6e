/**
 * A row of a paged list, laid out and painted only near the window, so that a thousand rows are as fast as twenty. The
 * clip margin leaves room for focus rings.
 */
export const FAR_ROW = "[content-visibility:auto] [contain-intrinsic-size:auto_5rem] [overflow-clip-margin:0.5rem]";
