type Entry = readonly [tag: number, type: number, count: number, value: number];

const [SHORT, LONG] = [3, 4];
const PIXELS_AT = 8;

/** A directory of a TIFF with the low byte first, and the position of the next one. */
function directory(entries: readonly Entry[], next: number, claimed = entries.length): Buffer {
  const bytes = Buffer.alloc(2 + entries.length * 12 + 4);
  bytes.writeUInt16LE(claimed, 0);
  for (const [index, [tag, type, count, value]] of entries.entries()) {
    const at = 2 + index * 12;
    bytes.writeUInt16LE(tag, at);
    bytes.writeUInt16LE(type, at + 2);
    bytes.writeUInt32LE(count, at + 4);
    bytes.writeUInt32LE(value, at + 8);
  }
  bytes.writeUInt32LE(next, bytes.length - 4);
  return bytes;
}

interface Page {
  /** Replaces entries of the same tag. */
  entries?: readonly Entry[];
  /** The number of entries that the directory claims. */
  claimed?: number;
  /** The number of the page after it, from 0 on; none without it. */
  next?: number;
}

const SIDE = 64;
const STRIPES = Buffer.from(Array.from({ length: SIDE * SIDE }, (_, at) => (at & 8 ? 0xe0 : 0x20)));

/** A TIFF of pages of 64 × 64 pixels in grey stripes, which share their pixels. */
export function tiffOf(pages: readonly Page[], pixels = STRIPES): Buffer {
  const lists = pages.map(({ entries = [] }) => {
    const usual: Entry[] = [
      [256, LONG, 1, SIDE],
      [257, LONG, 1, SIDE],
      [258, SHORT, 1, 8],
      [259, SHORT, 1, 1],
      [262, SHORT, 1, 1],
      [273, LONG, 1, PIXELS_AT],
      [277, SHORT, 1, 1],
      [278, LONG, 1, SIDE],
      [279, LONG, 1, SIDE * SIDE],
    ];
    const own = new Set(entries.map(([tag]) => tag));
    return [...usual.filter(([tag]) => !own.has(tag)), ...entries].sort(([a], [b]) => a - b);
  });
  const places: number[] = [];
  let at = PIXELS_AT + pixels.length;
  for (const list of lists) {
    places.push(at);
    at += 2 + list.length * 12 + 4;
  }
  const parts = lists.map((list, index) => {
    const { next, claimed } = pages[index] ?? {};
    return directory(list, next === undefined ? 0 : (places[next] ?? next), claimed);
  });
  const head = Buffer.from("II*\0\0\0\0\0", "latin1");
  head.writeUInt32LE(places[0] ?? 0, 4);
  return Buffer.concat([head, pixels, ...parts]);
}

const chain = (count: number, last?: number): Page[] =>
  Array.from({ length: count }, (_, index) => {
    const next = index === count - 1 ? last : index + 1;
    return next === undefined ? {} : { next };
  });
const one = (...entries: Entry[]): Buffer => tiffOf([{ entries }]);
const FIRST_DIRECTORY = PIXELS_AT + SIDE * SIDE;

/** TIFFs that are damaged, or meant to cost more than they may: what each has, what becomes of it, and its bytes. */
export const HOSTILE_TIFFS: [what: string, outcome: "shown" | "damaged" | "refused", make: () => Buffer][] = [
  ["a page that is followed by itself", "shown", () => tiffOf(chain(1, 0))],
  ["pages in a circle", "shown", () => tiffOf(chain(3, 1))],
  ["4,000 pages in a circle", "refused", () => tiffOf(chain(4000, 0))],
  ["60,000 pages", "refused", () => tiffOf(chain(60_000))],
  ["a next page beyond the end", "damaged", () => tiffOf([{ next: 0xfffffff0 }])],
  [
    "a directory within itself",
    "shown",
    () => one([330, LONG, 1, FIRST_DIRECTORY], [34_665, LONG, 1, FIRST_DIRECTORY]),
  ],
  ["four billion directories within it", "shown", () => one([330, LONG, 0xffffffff, FIRST_DIRECTORY])],
  ["65,535 entries of which 9 exist", "refused", () => tiffOf([{ claimed: 0xffff }])],
  ["no entry", "refused", () => tiffOf([{ claimed: 0 }])],
  ["four billion samples", "refused", () => one([258, SHORT, 0xffffffff, FIRST_DIRECTORY], [277, SHORT, 1, 0xffff])],
  [
    "four billion strips",
    "refused",
    () => one([273, LONG, 0xffffffff, 8], [279, LONG, 0xffffffff, 8], [278, LONG, 1, 1]),
  ],
  ["a description of four gigabytes", "shown", () => one([270, 2, 0xffffffff, 8])],
  ["a colour profile of two gigabytes", "shown", () => one([34_675, 7, 0x7fffffff, 8])],
  ["a palette of two billion colours", "shown", () => one([262, SHORT, 1, 3], [320, SHORT, 0x7fffffff, 8])],
  ["a strip of four gigabytes", "shown", () => one([279, LONG, 1, 0xffffffff])],
  ["a strip beyond the end", "refused", () => one([273, LONG, 1, 0xfffffff0])],
  [
    "half of its pixels",
    "refused",
    () => one([273, LONG, 1, FIRST_DIRECTORY - (SIDE * SIDE) / 2], [279, LONG, 1, SIDE * SIDE]),
  ],
  [
    "tiles of two billion pixels",
    "refused",
    () => one([322, LONG, 1, 0x7ffffff0], [323, LONG, 1, 0x7ffffff0], [324, LONG, 1, 8], [325, LONG, 1, 64]),
  ],
  [
    "tiles of no pixels",
    "refused",
    () => one([322, LONG, 1, 0], [323, LONG, 1, 0], [324, LONG, 1, 8], [325, LONG, 1, 64]),
  ],
  ["four billion rows", "refused", () => one([257, LONG, 1, 0xffffffff], [278, LONG, 1, 0xffffffff])],
  ["no rows", "refused", () => one([257, LONG, 1, 0])],
  ["samples of 65,535 bits", "refused", () => one([258, SHORT, 1, 0xffff])],
  ["an unknown compression", "refused", () => one([259, SHORT, 1, 0x7777])],
  ["noise that it calls LZW", "refused", () => one([259, SHORT, 1, 5])],
  ["noise that it calls a JPEG", "refused", () => one([259, SHORT, 1, 7])],
  ["noise that it calls a fax", "damaged", () => one([258, SHORT, 1, 1], [259, SHORT, 1, 4])],
  ["an unknown type of value", "refused", () => one([256, 99, 1, SIDE])],
  ["only its first line", "refused", () => Buffer.from("II*\0\x08\0\0\0", "latin1")],
  [
    "the beginning of a large TIFF",
    "refused",
    () => Buffer.concat([Buffer.from("II+\0\x08\0\0\0", "latin1"), Buffer.alloc(500, 0xff)]),
  ],
];
