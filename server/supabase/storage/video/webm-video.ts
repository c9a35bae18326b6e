import { type Blank, MOST_BLANKS, ordered, zeros } from "./blanks.ts";
import type { ByteSource } from "./byte-source.ts";
import { type Element, elementAt, floatIn, numberIn, voidHeader } from "./ebml.ts";
import { UnreadableVideo } from "./video-error.ts";
import type { VideoFacts } from "./video-facts.ts";

const HEADER = 0x1a45dfa3;
const SEGMENT = 0x18538067;
const SEEK_HEAD = 0x114d9b74;
const INFO = 0x1549a966;
const TRACKS = 0x1654ae6b;
const CLUSTER = 0x1f43b675;
const CUES = 0x1c53bb6b;
/** Chapters, attachments and tags: with the ones above, all that may follow a cluster whose end is left open. */
const PARTS = new Set([SEEK_HEAD, INFO, TRACKS, CLUSTER, CUES, 0x1043a770, 0x1941a469, 0x1254c367]);

const TIMESTAMP_SCALE = 0x2ad7b1;
const DURATION = 0x4489;
/** The programs that wrote the file. They must be there, and may be empty. */
const MAKERS = new Set([0x4d80, 0x5741]);

const TRACK = 0xae;
const TRACK_NUMBER = 0xd7;
const TRACK_TYPE = 0x83;
const VIDEO = 0xe0;
/** Number, UID, type, enabled, default, forced, lacing, languages, codec and its settings, times, picture, sound, encodings, additions. */
const OF_A_TRACK = new Set([
  ...[TRACK_NUMBER, 0x73c5, TRACK_TYPE, 0xb9, 0x88, 0x55aa, 0x9c, 0x22b59c, 0x22b59d, 0x86, 0x63a2, 0x56aa, 0x56bb],
  ...[0x23e383, 0x234e7a, 0x6de7, 0x6df8, 0x55ee, 0x41e4, VIDEO, 0xe1, 0x6d80],
]);
const SEEN_OR_HEARD = [1, 2];

const TIMESTAMP = 0xe7;
const SIMPLE_BLOCK = 0xa3;
const BLOCK_GROUP = 0xa0;
const BLOCK = 0xa1;
const OF_A_CLUSTER = new Set([TIMESTAMP, SIMPLE_BLOCK, BLOCK_GROUP, 0xa7, 0xab]);

/** An hour has a few hundred thousand. */
const MOST_ELEMENTS = 4_000_000;

type Bounded = Element & { end: number };

interface Reading {
  blanks: Blank[];
  facts: Omit<VideoFacts, "recorded">;
}

function bounded(element: Element): Bounded {
  if (element.end === undefined) throw new UnreadableVideo("one of its elements has no end");
  return { ...element, end: element.end };
}

/** How a WebM video is seen; where a live recording does not say how long it is, its last block does. */
export const webmFacts = async (source: ByteSource): Promise<VideoFacts> => ({
  ...(await new WebmReader(source).read("facts")).facts,
  // Its date is when it was written, which for what telephones and pages record is all the same when it was added.
  recorded: undefined,
});

/** What must be blanked for a WebM video to tell nothing but its pictures and sound. */
export const webmBlanks = async (source: ByteSource): Promise<Blank[]> =>
  ordered((await new WebmReader(source).read("everything")).blanks);

class WebmReader {
  readonly #source: ByteSource;
  readonly #blanks: Blank[] = [];
  readonly #kept = new Set<number>();
  #elements = 0;
  /** Nanoseconds that a unit of time lasts. */
  #scale = 1_000_000;
  #duration: number | undefined;
  #size: { width: number; height: number } | undefined;
  #lastBlock = 0;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  async read(what: "facts" | "everything"): Promise<Reading> {
    const head = await elementAt(this.#source, 0, this.#source.size);
    if (head.id !== HEADER || head.end === undefined) throw new UnreadableVideo("it does not begin as a WebM file");
    const segment = await elementAt(this.#source, head.end, this.#source.size);
    if (segment.id !== SEGMENT) throw new UnreadableVideo("it has no segment");
    const end = segment.end ?? this.#source.size;
    for (let at = segment.body; at < end; ) {
      const part = await this.#next(at, end);
      if (what === "facts" && part.id === CLUSTER && this.#duration !== undefined) break;
      at = await this.#part(part, end);
    }
    if (this.#kept.size === 0) throw new UnreadableVideo("it has nothing to see or to hear");
    if (end < this.#source.size) this.#blanks.push(zeros(end, this.#source.size - end));
    return {
      blanks: this.#blanks,
      facts: {
        width: this.#size?.width,
        height: this.#size?.height,
        duration: this.#seconds(this.#duration ?? this.#lastBlock),
      },
    };
  }

  #seconds(units: number): number | undefined {
    const seconds = (units * this.#scale) / 1e9;
    return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
  }

  #next(at: number, limit: number): Promise<Element> {
    if (++this.#elements > MOST_ELEMENTS) throw new UnreadableVideo("it has too many elements");
    return elementAt(this.#source, at, limit);
  }

  /** One part of the segment; resolves to where the next one begins. */
  async #part(part: Element, limit: number): Promise<number> {
    if (part.id === CLUSTER) return this.#cluster(part, part.end ?? limit, part.end === undefined);
    const known = bounded(part);
    if (part.id === INFO) await this.#info(known);
    else if (part.id === TRACKS) await this.#tracks(known);
    else if (part.id !== SEEK_HEAD && part.id !== CUES) this.#blank(known);
    return known.end;
  }

  /** The element as one that means nothing, of the same size. */
  #blank({ at, body, end }: Bounded) {
    if (this.#blanks.length > MOST_BLANKS) throw new UnreadableVideo("it is in too many pieces");
    const bytes = voidHeader(body - at, end - body);
    this.#blanks.push({ at, length: bytes.length, bytes }, zeros(at + bytes.length, end - at - bytes.length));
  }

  /** Each element of a list, where none may leave its end open. */
  async #each({ body, end }: Bounded, visit: (element: Bounded) => Promise<void> | void): Promise<void> {
    for (let at = body; at < end; ) {
      const element = bounded(await this.#next(at, end));
      await visit(element);
      at = element.end;
    }
  }

  #info(info: Bounded): Promise<void> {
    return this.#each(info, async (element) => {
      if (element.id === TIMESTAMP_SCALE) this.#scale = await numberIn(this.#source, element);
      else if (element.id === DURATION) this.#duration = await floatIn(this.#source, element);
      else if (MAKERS.has(element.id)) this.#blanks.push(zeros(element.body, element.end - element.body));
      else this.#blank(element);
    });
  }

  #tracks(tracks: Bounded): Promise<void> {
    return this.#each(tracks, async (track) => {
      const inside = new Map<number, Bounded>();
      await this.#each(track, (element) => void inside.set(element.id, element));
      const number = inside.get(TRACK_NUMBER);
      const type = inside.get(TRACK_TYPE);
      const isKept = type && SEEN_OR_HEARD.includes(await numberIn(this.#source, type));
      if (track.id !== TRACK || !number || !isKept) return this.#blank(track);
      this.#kept.add(await numberIn(this.#source, number));
      const video = inside.get(VIDEO);
      if (video) await this.#picture(video);
      await this.#each(track, (element) => {
        if (!OF_A_TRACK.has(element.id)) this.#blank(element);
      });
    });
  }

  async #picture(video: Bounded): Promise<void> {
    const numbers = new Map<number, number>();
    await this.#each(video, async (element) => void numbers.set(element.id, await numberIn(this.#source, element)));
    // As it is to be shown, where that differs from how it is stored; other units than pixels only give a shape.
    const stored = { width: numbers.get(0xb0) ?? 0, height: numbers.get(0xba) ?? 0 };
    const inPixels = (numbers.get(0x54b2) ?? 0) === 0;
    const shown = { width: numbers.get(0x54b0) ?? stored.width, height: numbers.get(0x54ba) ?? stored.height };
    const size = inPixels ? shown : stored;
    if (size.width > 0 && size.height > 0) this.#size ??= size;
  }

  /** A cluster's blocks; where its end is left open it ends before the next part. */
  async #cluster(cluster: Element, limit: number, open: boolean): Promise<number> {
    let began = 0;
    for (let at = cluster.body; at < limit; ) {
      const next = await this.#next(at, limit);
      if (open && PARTS.has(next.id)) return at;
      const element = bounded(next);
      if (element.id === TIMESTAMP) began = await numberIn(this.#source, element);
      else if (!OF_A_CLUSTER.has(element.id)) this.#blank(element);
      else if (element.id === SIMPLE_BLOCK) await this.#block(element, element, began);
      else if (element.id === BLOCK_GROUP) {
        const blocks: Bounded[] = [];
        await this.#each(element, (inner) => void (inner.id === BLOCK && blocks.push(inner)));
        // A group has one block.
        if (blocks[0]) await this.#block(blocks[0], element, began);
      }
      at = element.end;
    }
    return limit;
  }

  /** A block says whose it is and when it is to be shown; that of a track that goes takes `whole` with it. */
  async #block(block: Bounded, whole: Bounded, began: number): Promise<void> {
    // A track's number is written as the size of an element is.
    const { body, track } = await this.#trackOf(block);
    if (!this.#kept.has(track)) return this.#blank(whole);
    const time = await this.#source.read(body, 2);
    if (time.length === 2) this.#lastBlock = Math.max(this.#lastBlock, began + time.readInt16BE());
  }

  async #trackOf({ body, end }: Bounded): Promise<{ body: number; track: number }> {
    const first = (await this.#source.read(body, 1))[0] ?? 0;
    const width = first ? Math.clz32(first) - 23 : 9;
    if (width > 8 || body + width > end) throw new UnreadableVideo("one of its blocks belongs to no track");
    const bytes = await this.#source.read(body, width);
    const track = bytes.subarray(1).reduce((sum, byte) => sum * 256 + byte, (bytes[0] ?? 0) & (0xff >> width));
    return { body: body + width, track };
  }
}
