import { timerMs } from "../../../shared/file-numbers.ts";
import { type Ffmpeg, readingArguments, run } from "./ffmpeg.ts";
import type { Probe } from "./probe.ts";

/** The parts into which a wave divides a recording. */
const PARTS = 120;
/** The samples a second that are measured. */
const RATE = 8000;
/** The shortest part, in samples, so that a wrong duration causes few more parts. */
const LEAST_SAMPLES = 400;
/** The levels of a wave, each a digit in base 36. */
const LEVELS = 35;
/** The loudness below which a part counts as silent, in decibels of full scale. */
const SILENCE_DB = -48;
const TIMEOUT = { least: 10 * 60_000, most: 3_600_000, perSecond: 1000 };
const LEVEL = /^lavfi\.astats\.Overall\.RMS_level=(\S+)$/;

interface Source {
  path: string;
  type: string;
  facts: Probe;
  signal: AbortSignal;
}

/** The loudness of a recording in equal parts of its length, as digits in base 36; undefined for one without sound. */
export async function readPeaks(
  { ffmpeg }: Ffmpeg,
  { path, type, facts, signal }: Source,
): Promise<string | undefined> {
  const index = facts.sounds[0]?.index;
  if (index === undefined) return undefined;
  const seconds = facts.duration ?? 0;
  const samples = Math.max(LEAST_SAMPLES, Math.ceil((seconds * RATE) / PARTS));
  const levels: number[] = [];
  // The number of measured parts in a level, and those of the level that is not complete yet.
  let each = 1;
  let measured: number[] = [];
  const filters = [
    `aresample=${RATE}`,
    "aformat=sample_fmts=flt:channel_layouts=mono",
    `asetnsamples=n=${samples}:p=0`,
    "astats=metadata=1:reset=1:measure_perchannel=none:measure_overall=RMS_level",
    "ametadata=mode=print:key=lavfi.astats.Overall.RMS_level:file=-",
  ];
  await run(
    ffmpeg,
    [
      "-nostdin",
      "-hide_banner",
      "-v",
      "error",
      "-threads",
      "2",
      ...readingArguments(path, type),
      "-map",
      `0:a:${index}`,
      "-af",
      filters.join(","),
      "-f",
      "null",
      "-",
    ],
    {
      signal,
      timeoutMs: timerMs(seconds * TIMEOUT.perSecond, TIMEOUT),
      onLine(line) {
        const level = line.match(LEVEL)?.[1];
        if (level === undefined) return;
        measured.push(loudness(Number(level)));
        if (measured.length < each) return;
        levels.push(Math.max(...measured));
        measured = [];
        // Only as many as a wave shows, however long the file turns out to be.
        if (levels.length === 2 * PARTS) {
          levels.splice(0, levels.length, ...halved(levels));
          each *= 2;
        }
      },
    },
  );
  return levels.length === 0 ? undefined : digitsOf(levels);
}

/** A level from 0 to 1; silence is written as `-inf`. */
const loudness = (decibels: number) =>
  Number.isFinite(decibels) ? Math.min(1, Math.max(0, 1 - decibels / SILENCE_DB)) : 0;

const halved = (levels: readonly number[]) =>
  levels.flatMap((level, index) => (index % 2 === 0 ? [Math.max(level, levels[index + 1] ?? 0)] : []));

/** The levels relative to the loudest one, so that a quiet voice has a wave too. */
function digitsOf(levels: readonly number[]): string {
  const loudest = Math.max(...levels, 0.01);
  return levels.map((level) => Math.round((level / loudest) * LEVELS).toString(36)).join("");
}
