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
export async function findTwins({ candidates, queued, stored }: Known, hash: HashFile): Promise<Set<string>> {
  const hashes = new Map<string, Promise<string | undefined>>();
  const hashOf = ({ id, bytes }: Candidate) => {
    const known = hashes.get(id) ?? (bytes ? hash(bytes) : Promise.resolve(undefined));
    hashes.set(id, known);
    return known;
  };
  const isStored = async (file: Candidate, there: Stored) => {
    // What was stored before hashes were kept is known by the name it came with.
    if (there.hash === null) return there.name === file.name;
    return there.hash === (await hashOf(file));
  };
  const areEqual = async (a: Candidate, b: Candidate) => {
    const [first, second] = await Promise.all([hashOf(a), hashOf(b)]);
    return first !== undefined && first === second;
  };

  const storedBySize = bySize(stored);
  const waitingBySize = bySize(queued);
  const twins = new Set<string>();
  for (const file of candidates) {
    const there = (storedBySize.get(file.size) ?? []).filter(({ id }) => id !== file.id);
    const before = waitingBySize.get(file.size) ?? [];
    if ((await some(there, (one) => isStored(file, one))) || (await some(before, (one) => areEqual(file, one)))) {
      twins.add(file.id);
    }
    waitingBySize.set(file.size, [...before, file]);
  }
  return twins;
}

function bySize<T extends { size: number }>(files: readonly T[]): Map<number, readonly T[]> {
  const groups = new Map<number, T[]>();
  for (const file of files) groups.set(file.size, [...(groups.get(file.size) ?? []), file]);
  return groups;
}

async function some<T>(list: readonly T[], holds: (one: T) => Promise<boolean>): Promise<boolean> {
  for (const one of list) if (await holds(one)) return true;
  return false;
}
