import { reading, type Source } from "./sources.ts";

/** The most directories of a TIFF that is opened, because libtiff reads all of them each time. */
const MOST_DIRECTORIES = 2_000;

/** The sizes of a TIFF's numbers in bytes: of a count of entries, an entry, and a position. */
const SIZES: Record<number, { count: number; entry: number; position: number } | undefined> = {
  42: { count: 2, entry: 12, position: 4 },
  // For files beyond 4 GB.
  43: { count: 8, entry: 20, position: 8 },
};

/** Whether a file is a TIFF with too many directories, which are its pages, to be opened. */
export const hasTooManyPages = (source: Source): Promise<boolean> =>
  reading(source, async (read) => {
    const head = await read(0, 16);
    const order = head.toString("latin1", 0, 2);
    const isLittle = order === "II";
    const number = (bytes: Buffer) =>
      Number(`0x${(isLittle ? Buffer.from(bytes).reverse() : bytes).toString("hex") || 0}`);
    const sizes = isLittle || order === "MM" ? SIZES[number(head.subarray(2, 4))] : undefined;
    if (!sizes) return false;
    const { count, entry, position } = sizes;
    const visited = new Set([0]);
    let at = number(head.subarray(position, 2 * position));
    while (!visited.has(at) && visited.size <= MOST_DIRECTORIES) {
      visited.add(at);
      const entries = number(await read(at, count));
      at = number(await read(at + count + entries * entry, position));
    }
    return visited.size > MOST_DIRECTORIES;
  });
