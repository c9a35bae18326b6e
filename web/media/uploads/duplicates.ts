import type { HashFile } from "./file-hash.ts";

/** A file that waits to be told whether its memory has it already. */
export interface Candidate {
  id: string;
  name: string;
  size: number;
  bytes?: Blob;
}

/** What a memory has already: `id` is the one under which its browser sent it; the hash is null where it is not known. */
export interface Stored {
  id: string;
  name: string;
  size: number;
  hash: string | null;
}

interface Known {
  candidates: readonly Candidate[];
  /** Files of the same memory that are on their way before these. */
  queued: readonly Candidate[];
  stored: readonly Stored[];
}

/**
 * The ids of those candidates whose very bytes the memory has, or will have from a file before them. Equal bytes are
 * equally many, so only files that share their size with another are read at all: of five hundred new photos hardly one.
 */
export async function findDuplicates({ candidates, queued, stored }: Known, hash: HashFile): Promise<Set<string>> {
  const hashOf = ({ bytes }: Candidate) => (bytes ? hash(bytes) : undefined);
  const sizes = new Set(candidates.map(({ size }) => size));
  const count = new Map<number, number>();
  for (const { size } of [...stored, ...queued, ...candidates]) count.set(size, (count.get(size) ?? 0) + 1);

  const hashes = new Set<string>();
  for (const file of queued) {
    const known = sizes.has(file.size) ? await hashOf(file) : undefined;
    if (known) hashes.add(known);
  }
  const duplicates = new Set<string>();
  for (const file of candidates) {
    if (count.get(file.size) === 1) continue;
    const there = stored.filter(({ id, size }) => size === file.size && id !== file.id);
    const known = await hashOf(file);
    if (known && (hashes.has(known) || there.some((one) => one.hash === known))) duplicates.add(file.id);
    // What was stored before hashes were kept is known by the name it came with.
    if (there.some((one) => one.hash === null && one.name === file.name)) duplicates.add(file.id);
    if (known) hashes.add(known);
  }
  return duplicates;
}
