/**
 * A row of a list that grows by pages: it is laid out and painted only near the window, so that a thousand of them are no slower than
 * twenty. A focus ring may be over its edge.
 */
export const FAR_ROW = "[content-visibility:auto] [contain-intrinsic-size:auto_5rem] [overflow-clip-margin:0.5rem]";
