import { type DecodedPicture, decoderThreads } from "./decoder-thread.ts";
import type { HdrColours } from "./hdr.ts";

const decode = decoderThreads("heic-worker");

/**
 * Decodes an HEVC picture, which sharp cannot, in a worker thread; rejects if the picture is damaged. A picture in HDR
 * gets the profile that maps its tones.
 */
export const decodeHeic = (bytes: Buffer, profile?: Buffer, hdr?: HdrColours): Promise<DecodedPicture> =>
  decode(bytes, { profile: profile && new Uint8Array(profile), hdr });
