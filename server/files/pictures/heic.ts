import { type DecodedPicture, decoderThreads } from "./decoder-thread.ts";

const decode = decoderThreads("heic-worker");

/** Decodes an HEVC picture, which sharp cannot, in a worker thread; rejects if the picture is damaged. */
export const decodeHeic = (bytes: Buffer, profile?: Buffer): Promise<DecodedPicture> =>
  decode(bytes, { profile: profile && new Uint8Array(profile) });
