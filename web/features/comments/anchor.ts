const PREFIX = "comment-";

/** The element's id of a comment, to which an address can lead. */
export const anchorOf = (id: string) => `${PREFIX}${id}`;

/** The comment that the hash of an address leads to; undefined where it leads to none. */
export const commentIn = (hash: string): string | undefined =>
  hash.startsWith(`#${PREFIX}`) ? hash.slice(PREFIX.length + 1) : undefined;
