import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

/** A file to hash. The response is its SHA-256 in hex, absent if the file cannot be read. */
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

/** Reads in chunks, because a video may exceed the available memory. */
async function hashOf(file: Blob): Promise<string> {
  const hash = sha256.create();
  for (let from = 0; from < file.size; from += PIECE_BYTES) {
    hash.update(new Uint8Array(await file.slice(from, from + PIECE_BYTES).arrayBuffer()));
  }
  return bytesToHex(hash.digest());
}
