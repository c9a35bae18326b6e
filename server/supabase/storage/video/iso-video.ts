import { type Blank, joined, ordered, type Stretch, without, zeros } from "./blanks.ts";
import type { ByteSource } from "./byte-source.ts";
import { type Box, boxFrom, HEADER_BYTES, type Loaded, loadedAt } from "./iso-box.ts";
import { movieFacts } from "./iso-facts.ts";
import { defaultsOf, type Fragment, fragmentsOf } from "./iso-fragments.ts";
import { freed, scrubbed } from "./iso-scrub.ts";
import { notesIn, unitsOf } from "./iso-sei.ts";
import { samplesOf, tracksOf } from "./iso-tracks.ts";
import { UnreadableVideo } from "./video-error.ts";
import type { VideoFacts } from "./video-facts.ts";

/** Boxes that a copy keeps at the top; free space is kept, and may hold anything, so it is emptied. */
const KEPT = ["ftyp", "styp", "moov", "moof", "mdat", "sidx", "ssix", "mfra", "wide"];
/** The tables of several hours; more is a bomb. */
const MOST_TABLE_BYTES = 32 * 1024 * 1024;
const MOST_FRAGMENT_BYTES = 4 * 1024 * 1024;
const MOST_BOXES = 200_000;

/** How a movie is seen and when it was recorded; undefined where it tells nothing that can be followed. */
export async function isoFacts(source: ByteSource): Promise<VideoFacts> {
  const { boxes } = await topBoxes(source);
  const moov = await movieOf(source, boxes);
  const facts = movieFacts(moov.loaded, moov.box);
  if (facts.duration !== undefined) return facts;
  const { fragments } = await fragmentsFrom(source, boxes, moov);
  const end = fragments.reduce((latest, { endsAt }) => Math.max(latest, endsAt), 0);
  return { ...facts, duration: end > 0 ? end : undefined };
}

/**
 * What must be blanked for a movie to tell nothing but its pictures and sound: everything that is not known to be needed
 * to play them, the samples of all other tracks, bytes that belong to no sample, where cameras hide their notes, and their
 * notes between the pictures.
 */
export async function isoBlanks(source: ByteSource): Promise<Blank[]> {
  const { boxes, end } = await topBoxes(source);
  const moov = await movieOf(source, boxes);
  const tracks = tracksOf(moov.loaded, moov.box);
  const kept = tracks.filter((track) => track.kept);
  if (kept.length === 0) throw new UnreadableVideo("it has nothing to see or to hear");
  const kindAt = new Map(kept.map(({ box, kind }) => [box.at, kind]));
  const blanks = scrubbed(moov.loaded, moov.box, (track) => kindAt.get(track.at));
  const samples: Stretch[][] = kept.map((track) => samplesOf(moov.loaded, track));

  const { fragments, loaded } = await fragmentsFrom(source, boxes, moov);
  const kindOfFragment = new Map(
    fragments.flatMap(({ box, track }) => (track && kindAt.has(track.box.at) ? [[box.at, track.kind] as const] : [])),
  );
  for (const fragment of fragments) if (kindOfFragment.has(fragment.box.at)) samples.push(fragment.samples);
  for (const { part, box } of loaded)
    for (const blank of scrubbed(part, box, (traf) => kindOfFragment.get(traf.at))) blanks.push(blank);

  const played = joined(samples.flat());
  for (const box of boxes) {
    if (!KEPT.includes(box.type)) blanks.push(...freed(box));
    else if (box.type === "mdat") {
      for (const { start, end } of without({ start: box.body, end: box.end }, played))
        blanks.push(zeros(start, end - start));
    }
  }
  if (end < source.size) blanks.push(zeros(end, source.size - end));

  for (const [index, track] of kept.entries()) {
    const units = unitsOf(moov.loaded, track);
    if (!units) continue;
    const inFragments = fragments.flatMap((fragment) => (fragment.track?.id === track.id ? fragment.samples : []));
    for (const blank of await notesIn(source, [...(samples[index] ?? []), ...inFragments], units)) blanks.push(blank);
  }
  return ordered(blanks);
}

/** The boxes at the top, and where they end: telephones append notes of their own that are no boxes. */
async function topBoxes(source: ByteSource): Promise<{ boxes: Box[]; end: number }> {
  const boxes: Box[] = [];
  let at = 0;
  while (at < source.size) {
    const found = boxFrom(await source.read(at, HEADER_BYTES), at);
    if (!found || !/^[\x20-\x7e\xa9]{4}$/.test(found.type)) break;
    // The end of an upload that was cut off by its camera is missing from the box that was being written.
    const end = found.size === "to the end" ? source.size : Math.min(source.size, at + found.size);
    boxes.push({ type: found.type, at, body: found.body, end });
    if (boxes.length > MOST_BOXES) throw new UnreadableVideo("it has too many boxes");
    at = end;
  }
  return { boxes, end: at };
}

async function movieOf(source: ByteSource, boxes: Box[]): Promise<{ box: Box; loaded: Loaded }> {
  const [box, another] = boxes.filter(({ type }) => type === "moov");
  // Players differ about which of two is meant.
  if (!box || another) throw new UnreadableVideo("it has not one table of contents");
  if (box.end - box.at > MOST_TABLE_BYTES) throw new UnreadableVideo("its table of contents is too large");
  return { box, loaded: loadedAt(box.at, await source.read(box.at, box.end - box.at)) };
}

async function fragmentsFrom(source: ByteSource, boxes: Box[], moov: { box: Box; loaded: Loaded }) {
  const tracks = tracksOf(moov.loaded, moov.box);
  const defaults = defaultsOf(moov.loaded, moov.box);
  const fragments: Fragment[] = [];
  const loaded: { part: Loaded; box: Box }[] = [];
  let budget = MOST_TABLE_BYTES;
  for (const box of boxes.filter(({ type }) => type === "moof")) {
    const length = box.end - box.at;
    budget -= length;
    if (length > MOST_FRAGMENT_BYTES || budget < 0) throw new UnreadableVideo("its fragments are too large");
    const part = loadedAt(box.at, Buffer.from(await source.read(box.at, length)));
    fragments.push(...fragmentsOf(part, box, tracks, defaults));
    loaded.push({ part, box });
  }
  return { fragments, loaded };
}
