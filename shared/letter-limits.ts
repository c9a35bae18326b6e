/** The largest number of photos in a letter. */
export const MOST_LETTER_PHOTOS = 10;
/** The largest number of characters of an answer. */
export const LONGEST_ANSWER = 500;
