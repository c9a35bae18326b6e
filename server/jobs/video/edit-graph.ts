import type { Piece, TrackEdits } from "../../files/videos/edit-lists.ts";
import { ProgramError } from "./ffmpeg.ts";

interface PictureTrack {
  edits: TrackEdits | undefined;
  filters: string;
}

interface SoundTrack extends PictureTrack {
  /** Its number among the sound tracks. */
  index: number;
}

/** A tenth and ten times: slower and faster pieces of sound are silent, and no player plays them either. */
const TEMPO = { least: 0.5, most: 100 };
const RATE = 48_000;

/**
 * ffmpeg's arguments that play tracks as their edit lists say, which no packet copy can do: several pieces, pauses and
 * speeds. The input must be read with its own times (`-ignore_editlist 1 -copyts`).
 */
export function editGraph(picture: PictureTrack, sounds: SoundTrack[]): string[] {
  const graph = [
    `[0:V:0]${pictureEdits(picture.edits)}${picture.filters}[v]`,
    ...sounds.flatMap((sound, at) => soundEdits(sound, at)),
  ];
  const maps = ["-map", "[v]", ...sounds.flatMap((_sound, at) => ["-map", `[a${at}]`])];
  return ["-filter_complex", graph.join(";"), ...maps];
}

interface PlacedPiece extends Piece {
  /** When it begins to play, in seconds. */
  at: number;
}

function placed(pieces: readonly Piece[]): PlacedPiece[] {
  let at = 0;
  return pieces.map((piece) => {
    const result = { ...piece, at };
    at += piece.seconds;
    return result;
  });
}

const endOf = ({ start = 0, seconds, rate }: Piece) => start + seconds * rate;
const time = (seconds: number) => (Number.isFinite(seconds) ? seconds.toFixed(6) : "1e9");

/**
 * Filters that choose the pictures of the pieces and give them their times. A pause, like a piece that stands still,
 * is a gap, in which players show the picture before.
 */
function pictureEdits(edits: TrackEdits | undefined): string {
  if (!edits) return "";
  const parts = placed(edits.pieces).filter(({ start, rate }) => start !== undefined && rate > 0);
  if (parts.length === 0) throw new ProgramError("Nothing of its pictures is played", true);
  // A picture has one time, so a second showing would need all pictures in memory.
  if (parts.some((part, index) => index > 0 && (part.start ?? 0) < endOf(parts[index - 1] as Piece) - 0.01))
    throw new ProgramError("Its pieces are played out of order", true);
  const chosen = parts.map((part) => `gte(t,${time(part.start ?? 0)})*lt(t,${time(endOf(part))})`).join("+");
  const times = parts.reduceRight((rest, part) => {
    const own = `(T-${time(part.start ?? 0)})/${part.rate}+${time(part.at)}`;
    return rest === "" ? own : `if(lt(T,${time(endOf(part))}),${own},${rest})`;
  }, "");
  return `select='${chosen}',setpts='(${times})/TB',`;
}

/** Filters that put the pieces of a sound one after the other, each of its exact length. */
function soundEdits({ index, edits, filters }: SoundTrack, at: number): string[] {
  const input = `[0:a:${index}]`;
  if (!edits) return [`${input}aresample=async=1:first_pts=0,${filters}[a${at}]`];
  const same = `aresample=${RATE},${filters}`;
  const parts = edits.pieces.map(({ start, seconds, rate }, number) => {
    const name = `[p${at}_${number}]`;
    const isHeard = start !== undefined && rate >= TEMPO.least && rate <= TEMPO.most;
    const length = Number.isFinite(seconds) ? `,apad=whole_dur=${time(seconds)},atrim=end=${time(seconds)}` : "";
    const tempo = rate === 1 ? "" : `,atempo=${rate}`;
    const source = isHeard
      ? `[s${at}_${number}]atrim=start=${time(start)}:end=${time(endOf({ start, seconds, rate }))},asetpts=PTS-STARTPTS${tempo}`
      : `anullsrc=r=${RATE}:cl=stereo`;
    return { name, isHeard, chain: `${source},${same}${length}${name}` };
  });
  const heard = parts.flatMap(({ isHeard }, number) => (isHeard ? [`[s${at}_${number}]`] : []));
  const split = heard.length > 0 ? [`${input}asplit=${heard.length}${heard.join("")}`] : [];
  const names = parts.map(({ name }) => name).join("");
  return [...split, ...parts.map(({ chain }) => chain), `${names}concat=n=${parts.length}:v=0:a=1[a${at}]`];
}
