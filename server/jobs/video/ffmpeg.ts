import { spawn } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { setPriority, constants as system } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { buffer } from "node:stream/consumers";
import { timerMs } from "../../../shared/file-numbers.ts";
import { DV } from "../../../shared/video-format.ts";

/** The paths of ffmpeg and ffprobe. */
export interface Ffmpeg {
  ffmpeg: string;
  ffprobe: string;
}

/** Finds the programs in a search path, as in `PATH`; undefined unless both exist. */
export async function findFfmpeg(searchPath: string | undefined): Promise<Ffmpeg | undefined> {
  const find = async (name: string) => {
    for (const folder of (searchPath ?? "").split(delimiter).filter(Boolean)) {
      for (const path of [join(folder, name), join(folder, `${name}.exe`)]) {
        const runs = await access(path, constants.X_OK).then(
          () => true,
          () => false,
        );
        if (runs) return path;
      }
    }
  };
  const [ffmpeg, ffprobe] = [await find("ffmpeg"), await find("ffprobe")];
  return ffmpeg && ffprobe ? { ffmpeg, ffprobe } : undefined;
}

/** A program that failed. */
export class ProgramError extends Error {
  constructor(
    message: string,
    /** Whether it failed by itself, so that a retry would fail too. */
    readonly refused: boolean,
  ) {
    super(message);
  }
}

/** ffmpeg's names of containers; all others are read as MP4 and QuickTime. */
const DEMUXERS: Partial<Record<string, string>> = {
  "video/webm": "matroska",
  "video/matroska": "matroska",
  "video/vnd.avi": "avi",
  "video/mp2t": "mpegts",
  "video/mpeg": "mpeg",
  "video/x-ms-asf": "asf",
  [DV]: "dv",
  "audio/mpeg": "mp3",
  "audio/aac": "aac",
  "audio/wav": "wav",
  "audio/aiff": "aiff",
  "audio/flac": "flac",
  "audio/ogg": "ogg",
  "audio/webm": "matroska",
  "audio/matroska": "matroska",
  "audio/amr": "amr",
  "audio/x-caf": "caf",
  "audio/x-ms-wma": "asf",
};

/**
 * The arguments for reading an untrusted file. The container format is given, because probing could find a playlist.
 * The protocol whitelist admits only local files, and an untrusted file cannot know their names.
 */
export const readingArguments = (path: string, type: string): string[] => [
  "-protocol_whitelist",
  "file",
  "-f",
  DEMUXERS[type] ?? "mov",
  "-i",
  `file:${path}`,
];

interface Run {
  signal: AbortSignal;
  /** The timeout in milliseconds. */
  timeoutMs: number;
  /** The folder in which it runs. */
  folder?: string;
  /** Called with each line of output. */
  onLine?: (line: string) => void;
}

/** The length of error output that is kept. */
const MOST_COMPLAINT = 500;

/**
 * Runs a program with low priority and without this process's environment. Resolves to its output unless `onLine` takes
 * it; rejects with {@link ProgramError}, or with another error if the disk is full.
 */
export async function run(
  program: string,
  args: string[],
  { signal, timeoutMs, folder, onLine }: Run,
): Promise<Buffer> {
  const child = spawn(program, args, {
    env: {},
    stdio: ["ignore", "pipe", "pipe"],
    signal: AbortSignal.any([signal, AbortSignal.timeout(timerMs(timeoutMs))]),
    killSignal: "SIGKILL",
    windowsHide: true,
    ...(folder !== undefined && { cwd: folder }),
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    // Waits for the end, because a killed program may write to its file until then.
    child.once("error", (error) => child.pid === undefined && reject(error));
    child.once("close", resolve);
  });
  try {
    // Readers come first. At the lowest priority, though, a busy machine leaves a program one second of CPU in a minute.
    if (child.pid) setPriority(child.pid, system.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The program has already ended, or the system has no priorities.
  }
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-MOST_COMPLAINT);
  });
  if (onLine) createInterface(child.stdout).on("line", onLine);
  const written = onLine ? Buffer.alloc(0) : buffer(child.stdout).catch(() => Buffer.alloc(0));
  const code = await ended;
  if (code === 0) return written;
  if (/No space left/i.test(complaint)) throw new Error(complaint.trim());
  throw new ProgramError(complaint.trim() || `It ended with ${code}`, code !== null);
}
