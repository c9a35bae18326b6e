import type { FileHandle } from "node:fs/promises";
import { UnreadableVideoError } from "./video-error.ts";

const SEGMENT = 0x18538067;
const CLUSTER = 0x1f43b675;
const BLOCK_GROUP = 0xa0;
const VOID = 0xec;
const CRC = 0xbf;
/** The children of a segment: seek head, information, tracks, cues, chapters, attachments, tags and clusters. */
const IN_SEGMENT = [0x114d9b74, 0x1549a966, 0x1654ae6b, 0x1c53bb6b, 0x1043a770, 0x1941a469, 0x1254c367, CLUSTER];
/** The children of a cluster: timestamp, blocks, its position and the size of the previous cluster. */
const IN_CLUSTER = [0xe7, 0xa3, BLOCK_GROUP, 0xa7, 0xab];
/** The children of a block group: block, additions, duration, references and padding. */
const IN_GROUP = [0xa1, 0x75a1, 0x9b, 0xfa, 0xfb, 0xa4, 0x75a2];
const KNOWN = new Map<number, Set<number>>(
  [
    [SEGMENT, IN_SEGMENT] as const,
    [CLUSTER, IN_CLUSTER] as const,
    [BLOCK_GROUP, IN_GROUP] as const,
    // Information, tracks, track entries, cues, cue points and cue positions may have any children.
    ...[0x1549a966, 0x1654ae6b, 0xae, 0x1c53bb6b, 0xbb, 0xb7].map((id) => [id, []] as const),
  ].map(([id, children]) => [id, new Set(children)]),
);
/** The maximum number of elements; a day of video has fewer. */
const MAX_ELEMENTS = 16_000_000;
/** The maximum size of a segment's child other than a cluster, because these are read into memory. */
const MAX_PART_BYTES = 64 * 1024 * 1024;
const WINDOW_BYTES = 1024 * 1024;

/** Rejects a Matroska or WebM file with elements that overlap or are in the wrong place. */
export async function checkElements(file: FileHandle): Promise<void> {
  const { size } = await file.stat();
  const walk = new ElementWalk(file, size);
  const head = await walk.element(0, size);
  const segment = await walk.element(head.end, size);
  if (segment.id !== SEGMENT) throw new UnreadableVideoError("it has no segment");
  await walk.children(segment);
}

interface Element {
  id: number;
  body: number;
  end: number;
  /** Whether its size is unknown, as in a live recording. */
  isOpen: boolean;
}

class ElementWalk {
  readonly #file: FileHandle;
  readonly #size: number;
  readonly #window = Buffer.alloc(WINDOW_BYTES);
  #from = 0;
  #held = 0;
  #count = 0;

  constructor(file: FileHandle, size: number) {
    this.#file = file;
    this.#size = size;
  }

  /** Checks an element's children; resolves to the offset of the next element. */
  async children({ id, body, end, isOpen }: Element): Promise<number> {
    const element = KNOWN.get(id);
    let at = body;
    while (at < end) {
      const child = await this.element(at, end);
      // A cluster of unknown size ends at the next child of the segment.
      if (isOpen && id === CLUSTER && IN_SEGMENT.includes(child.id)) return at;
      const isFiller = child.id === VOID || child.id === CRC;
      if (element && element.size > 0 && !element.has(child.id) && !isFiller) {
        throw new UnreadableVideoError("one of its elements does not belong where it is");
      }
      if (child.isOpen && child.id !== CLUSTER) throw new UnreadableVideoError("one of its elements has no end");
      if (id === SEGMENT && child.id !== CLUSTER && !isFiller && child.end - child.body > MAX_PART_BYTES) {
        throw new UnreadableVideoError("one of its elements is too large");
      }
      at = KNOWN.has(child.id) ? await this.children(child) : child.end;
    }
    return end;
  }

  async element(at: number, limit: number): Promise<Element> {
    this.#count += 1;
    if (this.#count > MAX_ELEMENTS) throw new UnreadableVideoError("it has too many elements");
    const header = await this.#read(at, Math.min(12, limit - at));
    const idWidth = widthOf(header[0]);
    const sizeWidth = widthOf(header[idWidth]);
    if (idWidth > 4 || sizeWidth > 8 || idWidth + sizeWidth > header.length) {
      throw new UnreadableVideoError("one of its elements has no header");
    }
    const bytes = header.subarray(idWidth, idWidth + sizeWidth);
    const size = bytes.subarray(1).reduce((sum, byte) => sum * 256 + byte, (bytes[0] ?? 0) & (0xff >> sizeWidth));
    const isOpen = size === 2 ** (7 * sizeWidth) - 1;
    const body = at + idWidth + sizeWidth;
    const isCutOff = limit === this.#size;
    if (!isOpen && body + size > limit && !isCutOff) throw new UnreadableVideoError("its elements do not fit together");
    return { id: header.readUIntBE(0, idWidth), body, end: isOpen ? limit : Math.min(limit, body + size), isOpen };
  }

  async #read(at: number, length: number): Promise<Buffer> {
    if (at < this.#from || at + length > this.#from + this.#held) {
      const { bytesRead } = await this.#file.read(this.#window, 0, WINDOW_BYTES, at);
      this.#from = at;
      this.#held = bytesRead;
    }
    return this.#window.subarray(at - this.#from, Math.min(this.#held, at - this.#from + length));
  }
}

/** The length of an EBML number in bytes: one more than the leading zero bits of its first byte. */
const widthOf = (first: number | undefined) => (first ? Math.clz32(first) - 23 : 9);
