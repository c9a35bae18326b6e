/** The media type of a tape of a DV camcorder, copied to a computer as it is (RFC 6469). */
export const DV = "video/dv";

/** Whether a file begins with the header of a DV frame: its first block, and the television standard. */
export const isDv = (head: Uint8Array): boolean =>
  head[0] === 0x1f && head[1] === 0x07 && head[2] === 0 && (head[3] === 0x3f || head[3] === 0xbf);
