import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ensureFfmpeg } from "../../scripts/setup/ffmpeg.mjs";

const run = promisify(execFile);

/** A text that no copy for others may contain. */
export const SECRET_OF_SOUND = "NonnaRosasKitchen";

/** A recording that ffmpeg makes for a test, with private data and a cover where its format has them. */
export interface SoundRecipe {
  what: string;
  /** The name under which a phone or program would save it. */
  name: string;
  /** The detected type. */
  type: string;
  encode: string[];
  /** The date that is found. */
  taken: string | null;
  hasCover?: boolean;
}

const tags = (...more: string[]) => [
  ...["artist", "comment", "title", "encoder", "make", "model", "location"].flatMap((name) => [
    "-metadata",
    `${name}=${SECRET_OF_SOUND}`,
  ]),
  ...more.flatMap((tag) => ["-metadata", tag]),
];

export const SOUNDS: readonly SoundRecipe[] = [
  {
    what: "an iPhone's voice memo",
    name: "New Recording 12.m4a",
    type: "audio/mp4",
    encode: ["-c:a", "aac", "-ac", "1", ...tags("creation_time=2019-05-04T12:33:11Z")],
    taken: "2019-05-04T12:33:11",
  },
  {
    what: "a lossless song with a cover",
    name: "song.m4a",
    type: "audio/mp4",
    encode: ["-c:a", "alac", ...tags("date=1975")],
    taken: "1975",
    hasCover: true,
  },
  {
    what: "a dictaphone's MP3 with a cover",
    name: "DS_30001.mp3",
    type: "audio/mpeg",
    encode: ["-c:a", "libmp3lame", "-id3v2_version", "4", ...tags("date=2011-03-05T10:11:12")],
    taken: "2011-03-05T10:11:12",
    hasCover: true,
  },
  {
    what: "an MP3 with older tags",
    name: "track.mp3",
    type: "audio/mpeg",
    encode: ["-c:a", "libmp3lame", "-id3v2_version", "3", ...tags("date=1998")],
    taken: "1998",
  },
  {
    what: "an MP3 without tags",
    name: "plain.mp3",
    type: "audio/mpeg",
    encode: ["-c:a", "libmp3lame", "-write_xing", "0", "-id3v2_version", "0", "-map_metadata", "-1"],
    taken: null,
  },
  {
    what: "a WAV",
    name: "tape.wav",
    type: "audio/wav",
    encode: ["-c:a", "pcm_s16le", ...tags("date=2004-08-09")],
    taken: "2004-08-09",
  },
  {
    what: "a broadcaster's WAV",
    name: "interview.wav",
    type: "audio/wav",
    encode: [
      "-c:a",
      "pcm_s24le",
      "-write_bext",
      "1",
      ...tags("origination_date=2015-06-07", "origination_time=08:09:10"),
    ],
    taken: "2015-06-07T08:09:10",
  },
  {
    what: "a FLAC with a cover",
    name: "choir.flac",
    type: "audio/flac",
    encode: ["-c:a", "flac", ...tags("DATE=2009-12-24")],
    taken: "2009-12-24",
    hasCover: true,
  },
  {
    what: "a WhatsApp voice note",
    name: "PTT-20231230-WA0001.opus",
    type: "audio/ogg",
    encode: ["-c:a", "libopus", "-ac", "1", "-ar", "16000", ...tags()],
    taken: "2023-12-30",
  },
  {
    what: "a song in Ogg Vorbis",
    name: "lullaby.ogg",
    type: "audio/ogg",
    encode: ["-c:a", "libvorbis", ...tags("DATE=2001")],
    taken: "2001",
  },
  {
    what: "a recording of a browser",
    name: "Recording 2024-07-14 16.05.09.weba",
    type: "audio/webm",
    encode: ["-c:a", "libopus", "-f", "webm", ...tags()],
    taken: "2024-07-14T16:05:09",
  },
  {
    what: "Windows' sound recorder",
    name: "Aufnahme.wma",
    type: "audio/x-ms-wma",
    encode: ["-c:a", "wmav2", "-f", "asf", ...tags("creation_time=2008-02-03T04:05:06Z")],
    taken: "2008-02-03T04:05:06",
  },
  {
    what: "Apple's core audio",
    name: "memo.caf",
    type: "audio/x-caf",
    encode: ["-c:a", "pcm_s16be", ...tags("recorded date=2016-01-02 03:04:05")],
    taken: "2016-01-02T03:04:05",
  },
  {
    what: "an AIFF",
    name: "tape.aiff",
    type: "audio/aiff",
    encode: ["-c:a", "pcm_s16be", "-write_id3v2", "1", ...tags("date=1999-09-09")],
    taken: "1999-09-09",
  },
  {
    what: "a bare AAC",
    name: "AUD-20240102-WA0003.aac",
    type: "audio/aac",
    encode: ["-c:a", "aac", "-f", "adts", ...tags()],
    taken: "2024-01-02",
  },
  {
    what: "an MP4 with only sound",
    name: "AudioRecording_20240714_160509.mp4",
    type: "audio/mp4",
    encode: ["-c:a", "aac", "-movflags", "+faststart", ...tags()],
    taken: "2024-07-14T16:05:09",
  },
  {
    what: "a QuickTime movie with only sound",
    name: "answering machine.mov",
    type: "audio/mp4",
    encode: ["-c:a", "pcm_s16le", ...tags()],
    taken: null,
  },
  {
    what: "an old phone's 3GP with only sound",
    name: "voice0001.3gp",
    type: "audio/mp4",
    encode: ["-c:a", "aac", "-ar", "16000", "-ac", "1", ...tags()],
    taken: null,
  },
  {
    what: "a Matroska file with only sound",
    name: "radio.mka",
    type: "audio/matroska",
    encode: ["-c:a", "libmp3lame", "-f", "matroska", ...tags()],
    taken: null,
  },
];

const amr = (signature: string, frameHead: number, frameBytes: number, frames: number) =>
  Buffer.concat([
    Buffer.from(signature),
    ...Array.from({ length: frames }, (_, frame) =>
      Buffer.from([frameHead, ...Array.from({ length: frameBytes }, (_, byte) => (frame * 37 + byte * 11) & 0xff)]),
    ),
  ]);

/** AMR as phones write it: frames of 20 ms at 12.2 kbit/s; Debian's ffmpeg only reads it. */
export const amrVoicemail = (frames = 150): Buffer => amr("#!AMR\n", 0x3c, 31, frames);

/** Wideband AMR: frames of 20 ms at 23.85 kbit/s. */
export const wideVoicemail = (frames = 150): Buffer => amr("#!AMR-WB\n", 0x44, 60, frames);

/** Opens a folder for encoding sounds; `close` removes it. */
export async function openSoundEncoder() {
  const programs = await ensureFfmpeg();
  const ffmpeg = { ffmpeg: join(programs, "ffmpeg"), ffprobe: join(programs, "ffprobe") };
  const folder = await mkdtemp(join(tmpdir(), "skies-sounds-"));
  const cover = join(folder, "cover.jpg");
  await run(ffmpeg.ffmpeg, [
    "-v",
    "error",
    "-y",
    "-f",
    "lavfi",
    "-i",
    "testsrc2=s=200x200:d=1",
    "-frames:v",
    "1",
    cover,
  ]);

  return {
    ffmpeg,
    close: () => rm(folder, { recursive: true, force: true }),

    /** A voice-like tone of three seconds with a pause in the middle. */
    async encode({ name, encode, hasCover }: Pick<SoundRecipe, "name" | "encode" | "hasCover">): Promise<Buffer> {
      const path = join(folder, name);
      const tone = "sine=frequency=220:duration=3,volume='if(between(t,1,2),0,1)':eval=frame";
      const picture = hasCover
        ? ["-i", cover, "-map", "0:a", "-map", "1:v", "-c:v", "mjpeg", "-disposition:v", "attached_pic"]
        : [];
      await run(ffmpeg.ffmpeg, ["-v", "error", "-y", "-f", "lavfi", "-i", tone, ...picture, ...encode, path]);
      return readFile(path);
    },

    /** A voicemail in AMR in an MP4 file of this brand, as iPhones export it and old phones recorded it. */
    async boxedVoicemail(brand: "M4A " | "3gp4"): Promise<Buffer> {
      const [from, path] = [join(folder, "boxed.amr"), join(folder, "boxed.3gp")];
      await writeFile(from, amrVoicemail());
      await run(ffmpeg.ffmpeg, ["-v", "error", "-y", "-i", from, "-c", "copy", "-f", "3gp", path]);
      const bytes = await readFile(path);
      // ffmpeg writes no AMR into a file of Apple's brand.
      bytes.write(brand, 8, "latin1");
      return bytes;
    },

    /** What ffprobe says about the bytes. */
    async probe(bytes: Buffer) {
      const path = join(folder, "probed");
      await writeFile(path, bytes);
      const { stdout } = await run(ffmpeg.ffprobe, [
        "-v",
        "error",
        "-show_streams",
        "-show_format",
        "-of",
        "json",
        path,
      ]);
      return JSON.parse(stdout) as {
        streams: { codec_type: string; codec_name: string; channels: number }[];
        format: { duration: string; tags?: Record<string, string> };
      };
    },
  };
}
