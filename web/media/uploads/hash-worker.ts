import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

/** A file to hash, and its SHA-256 in hex in return; without one where the file can not be read any more. */
export interface HashRequest {
  id: number;
  file: Blob;
}
export interface HashReply {
  id: number;
  hash?: string;
}

const PIECE_BYTES = 4 * 1024 * 1024;

addEventListener("message", async ({ data: { id, file } }: MessageEvent<HashRequest>) => {
  const reply: HashReply = { id, hash: await hashOf(file).catch(() => undefined) };
  postMessage(reply);
});

/** Piece by piece: a video may be larger than what memory there is. */
async function hashOf(file: Blob): Promise<string> {
  const hash = sha256.create();
  for (let from = 0; from < file.size; from += PIECE_BYTES) {
    hash.update(new Uint8Array(await file.slice(from, from + PIECE_BYTES).arrayBuffer()));
  }
  return bytesToHex(hash.digest());
}
