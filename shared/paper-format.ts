/** The media type of a paper of its own format. A TIFF with several pages is a paper, too. */
export const PDF = "application/pdf";

/** The number of a file's first bytes that {@link isPdf} needs. */
export const PDF_HEAD_BYTES = 64;

/**
 * Whether a file with these first bytes is a PDF. Some scanners write blanks or a byte order mark before it. Other programs
 * accept it anywhere in the first kilobyte, which would make a page of HTML a PDF.
 */
export const isPdf = (head: Uint8Array): boolean =>
  /^(?:\xef\xbb\xbf)?[\0\t\n\f\r ]{0,32}%PDF-\d/.test(String.fromCharCode(...head.subarray(0, PDF_HEAD_BYTES)));

/** The pages of a paper that are shown; its file may have more. */
export const MOST_PAGES = 500;
