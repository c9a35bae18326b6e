import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import fc from "fast-check";
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from "mediabunny";
import { describe, expect, test } from "vitest";
import { box, word } from "../../../../tests/support/boxes.ts";
import { fragmentedMovie, privateMovie, RECORDED, SECRET } from "../../../../tests/support/private-movie.ts";
import { privateWebm } from "../../../../tests/support/private-webm.ts";
import { type Blank, blanking, readBack, writtenDown } from "./blanks.ts";
import { windowed } from "./byte-source.ts";
import { videoBlanks, videoFacts } from "./read-video.ts";
import { UnreadableVideo } from "./video-error.ts";

const VIDEOS: [string, string, Buffer][] = [
  ["an MP4", "video/mp4", privateMovie()],
  ["an MP4 that begins with its table of contents", "video/mp4", privateMovie({ moov: "first" })],
  ["a QuickTime movie", "video/quicktime", privateMovie({ brand: "qt  ", clock: "2019-05-04T14:33:11+0200" })],
  ["a streamed MP4", "video/mp4", fragmentedMovie()],
  ["a WebM", "video/webm", privateWebm()],
  ["a WebM recorded in a page", "video/webm", privateWebm({ live: true })],
];

const sourceOf = (bytes: Buffer) => windowed(bytes.length, async (start, end) => bytes.subarray(start, end));
const blanksOf = (bytes: Buffer, type: string) => videoBlanks(sourceOf(bytes), type);
/** The bytes with the blanks put over them as they stream, from `at`, in pieces of this size. */
const cleaned = (bytes: Buffer, blanks: Blank[], at = 0, piece = bytes.length) => {
  const pieces = Array.from({ length: Math.ceil((bytes.length - at) / piece) }, (_, i) =>
    bytes.subarray(at + i * piece, at + (i + 1) * piece),
  );
  return buffer(Readable.from(pieces).pipe(blanking(blanks, at)));
};

/** What somebody else's reader finds of pictures and sound, and of everything else. */
async function packetsOf(bytes: Buffer) {
  const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) });
  const packets: string[] = [];
  for (const track of [...(await input.getVideoTracks()), ...(await input.getAudioTracks())]) {
    for await (const { timestamp, data } of new EncodedPacketSink(track).packets()) {
      packets.push(`${track.type} ${timestamp.toFixed(3)} ${Buffer.from(data).toString("latin1")}`);
    }
  }
  return packets;
}
const tagsOf = (bytes: Buffer) =>
  new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) }).getMetadataTags();

describe.each(VIDEOS)("%s", (_name, type, video) => {
  test("is copied without what it tells, byte for byte in its place", async () => {
    expect(video.includes("SECRET")).toBe(true);
    const copy = await cleaned(video, await blanksOf(video, type));
    expect(copy.length).toBe(video.length);
    expect(copy.includes("SECRET")).toBe(false);
    expect(copy.includes("GPS")).toBe(false);
    expect(JSON.stringify(await tagsOf(copy))).not.toMatch(/SECRET|2019/);
  });

  test("keeps every picture and every sound", async () => {
    const packets = await packetsOf(video);
    expect(packets.length).toBeGreaterThan(2);
    expect(await packetsOf(await cleaned(video, await blanksOf(video, type)))).toEqual(packets);
  });

  test("is the same copy from wherever it is read, and after its blanks were remembered", async () => {
    const blanks = readBack(writtenDown(await blanksOf(video, type)));
    const whole = await cleaned(video, blanks);
    const pieces = fc.tuple(fc.nat(video.length - 1), fc.integer({ min: 1, max: 300 }));
    await fc.assert(
      fc.asyncProperty(pieces, async ([at, piece]) => {
        expect((await cleaned(video, blanks, at, piece)).equals(whole.subarray(at))).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  test("harms nothing when it is damaged", async () => {
    const damage = fc.tuple(
      fc.nat(video.length - 1),
      fc.uint8Array({ minLength: 1, maxLength: 8 }),
      fc.nat(video.length),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 4 }), async (damages) => {
        let bytes = Buffer.from(video);
        for (const [at, put, length] of damages) {
          if (at < bytes.length) bytes.set(put.subarray(0, bytes.length - at), at);
          if (length % 5 === 0) bytes = bytes.subarray(0, length);
        }
        const copy = await blanksOf(bytes, type).then(
          (blanks) => cleaned(bytes, blanks),
          (error: unknown) => error,
        );
        if (!(copy instanceof Buffer)) expect(copy).toBeInstanceOf(UnreadableVideo);
        else expect(copy.length).toBe(bytes.length);
        await videoFacts(sourceOf(bytes), type).catch((error: unknown) =>
          expect(error).toBeInstanceOf(UnreadableVideo),
        );
      }),
      { numRuns: 150 },
    );
  });
});

describe("what a camera notes between its pictures", () => {
  const bytes = (...values: number[]) => String.fromCharCode(...values);
  const unit = (content: string) => word(content.length).toString("latin1") + content;
  // Three zeros in a row are kept apart by their writer, and lengths count them without what keeps them apart.
  const place = `GPS${bytes(0, 0, 3, 0)}${SECRET}${bytes(0, 0, 3, 1)}`;
  const note = (type: number) => bytes(type, 255, 16 + place.length - 2 - 255 + 200) + "U".repeat(16 + 200) + place;
  const resumes = bytes(6, 1, 0x84);

  test.each([
    ["H.264", bytes(6), bytes(0x65, 0x88), bytes(9, 0x10)],
    ["HEVC", bytes(39 << 1, 1), bytes(19 << 1, 1), bytes(40 << 1, 1)],
  ] as const)("is gone from a copy, in %s, and nothing else is", async (codec, notes, slice, other) => {
    const kept = [unit(notes + resumes + bytes(0x80)), unit(`${slice}the picture`)] as const;
    const third = [kept[0], unit(notes + note(5) + resumes + note(4) + bytes(0x80)), kept[1], unit(other)].join("");
    const video = privateMovie({ codec, third });
    expect(video.includes(third, 0, "latin1")).toBe(true);
    const blanks = await blanksOf(video, "video/mp4");
    const copy = await cleaned(video, readBack(writtenDown(blanks)));
    expect(copy.length).toBe(video.length);
    for (const told of ["SECRET", "GPS", "UUUU"]) expect(copy.includes(told)).toBe(false);

    const at = video.indexOf(third, 0, "latin1");
    const left = copy.subarray(at, at + third.length);
    const blanked = Buffer.from(third, "latin1").map((byte, place) => (byte === left[place] ? 0 : 1));
    // The lengths, what says of which kind each message is, and what keeps zeros apart are as they were.
    const untouched = third.length - blanked.reduce((sum, one) => sum + one, 0);
    expect(untouched).toBe(third.length - 2 * (16 + 200 + place.length - 8));
    expect(left.includes(kept[0], 0, "latin1") && left.includes(kept[1], 0, "latin1")).toBe(true);
    expect(left.toString("latin1").split(resumes)).toHaveLength(3);
  });
});

describe("a video tells", () => {
  test.each([
    [
      "how large and how long it is",
      "video/mp4",
      privateMovie(),
      { width: 64, height: 48, duration: 3, recorded: RECORDED },
    ],
    ["how it is seen upright", "video/mp4", privateMovie({ turned: true }), { width: 48, height: 64 }],
    [
      "the time of its place, where a telephone wrote it",
      "video/quicktime",
      privateMovie({ brand: "qt  ", clock: "2019-05-04T14:33:11+0200" }),
      { recorded: "2019-05-04T14:33:11" },
    ],
    [
      "how long it is even when it was streamed",
      "video/mp4",
      fragmentedMovie(),
      { width: 64, height: 48, duration: 2 },
    ],
    ["as much as a WebM", "video/webm", privateWebm(), { width: 64, height: 48, duration: 2 }],
    [
      "how long it is by its last picture",
      "video/webm",
      privateWebm({ live: true }),
      { width: 64, height: 48, duration: 1.5 },
    ],
  ])("%s", async (_what, type, video, expected) => {
    expect(await videoFacts(sourceOf(video), type)).toMatchObject(expected);
  });
});

describe("no copy is made of a video", () => {
  const ftyp = box("ftyp", "isom", word(512), "isom");
  test.each([
    ["without a table of contents", Buffer.concat([ftyp, box("mdat", SECRET)])],
    ["with two of them", privateMovie({ more: [box("moov", word(0))] })],
    ["whose table of contents is compressed", Buffer.concat([ftyp, box("moov", box("cmov", SECRET))])],
    [
      "that lies in another file",
      Buffer.from(privateMovie().toString("latin1").replaceAll("url \0\0\0\x01", "url \0\0\0\0"), "latin1"),
    ],
    ["whose boxes do not fit into each other", Buffer.concat([ftyp, box("moov", word(999), "trak")])],
  ])("%s", async (_what, video) => {
    await expect(blanksOf(video, "video/mp4")).rejects.toThrow(UnreadableVideo);
  });

  test("that is no WebM", async () => {
    await expect(blanksOf(Buffer.from(SECRET), "video/webm")).rejects.toThrow(UnreadableVideo);
  });
});
