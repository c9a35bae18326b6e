import type { HashFile } from "./file-hash.ts";

/** A file to compare with the memory's files. */
export interface Candidate {
  id: string;
  name: string;
  size: number;
  bytes?: Blob;
}

/** A stored file: `id` is its upload's id; the hash is null if unknown. */
export interface Stored {
  id: string;
  name: string;
  size: number;
  hash: string | null;
}

interface Known {
  candidates: readonly Candidate[];
  /** Earlier files of the same memory that are still being uploaded. */
  queued: readonly Candidate[];
  stored: readonly Stored[];
}

/**
 * The ids of the candidates whose bytes the memory has, or gets from an earlier file. Only files of equal size can have
 * equal bytes, so only those are read and hashed: hardly one of 500 new photos.
 */
export async function findDuplicates({ candidates, queued, stored }: Known, hash: HashFile): Promise<Set<string>> {
  const hashOf = ({ bytes }: Candidate) => (bytes ? hash(bytes) : undefined);
  const sizes = new Set(candidates.map(({ size }) => size));
  const count = new Map<number, number>();
  for (const { size } of [...stored, ...queued, ...candidates]) count.set(size, (count.get(size) ?? 0) + 1);

  const hashes = new Set<string>();
  for (const file of queued) {
    const fileHash = sizes.has(file.size) ? await hashOf(file) : undefined;
    if (fileHash) hashes.add(fileHash);
  }
  const duplicates = new Set<string>();
  for (const file of candidates) {
    if (count.get(file.size) === 1) continue;
    const there = stored.filter(({ id, size }) => size === file.size && id !== file.id);
    const fileHash = await hashOf(file);
    if (fileHash && (hashes.has(fileHash) || there.some((one) => one.hash === fileHash))) duplicates.add(file.id);
    // Old files have no stored hash; their name is compared instead.
    if (there.some((one) => one.hash === null && one.name === file.name)) duplicates.add(file.id);
    if (fileHash) hashes.add(fileHash);
  }
  return duplicates;
}
