import { type FileHandle, open } from "node:fs/promises";
import {
  type AudioCodec,
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  type Input,
  type InputTrack,
  type MediaCodec,
  MovOutputFormat,
  Mp4OutputFormat,
  Output,
  type OutputFormat,
  PCM_AUDIO_CODECS,
  StreamTarget,
  type StreamTargetChunk,
  type VideoCodec,
  WebMOutputFormat,
} from "mediabunny";
import { checkTables } from "./check-tables.ts";
import { isNalUnits, type NalFraming, streamPrivacy } from "./codec-privacy.ts";
import { isTrimmed, readEdits, type TrackEdits } from "./edit-lists.ts";
import { mediaBytes, writtenTimes } from "./iso-boxes.ts";
import { withVideo } from "./open-video.ts";
import { UnreadableVideoError } from "./video-error.ts";

/** The result of a copy. */
export interface CopiedStreams {
  type: "video/mp4" | "video/quicktime" | "video/webm";
  /** Whether a sound track of an unknown codec was left out. */
  lacksSound: boolean;
}

/** The maximum number of packets; a day of video has fewer, and tables that claim more are broken. */
const MAX_PACKETS = 8_000_000;
/** The maximum growth of a copy over its original: the size of its tables. */
const MAX_GROWTH_BYTES = 64 * 1024 * 1024;
/** The minimum share of the media data that the streams must contain. Other data, e.g. of sensors, is small. */
const LEAST_PART = 0.5;
/** The size of a write. */
const CHUNK_BYTES = 1024 * 1024;
/** How often the progress is reported, in packets. */
const REPORT_PACKETS = 256;
/** The maximum silence in seconds between packets of uncompressed sound; the library writes silence as samples. */
const MAX_SILENCE = 60;

interface Stream {
  add(packet: EncodedPacket): Promise<void>;
  close(): void;
  packets: AsyncGenerator<EncodedPacket, void, unknown>;
  next: EncodedPacket | undefined;
  /** Whether a packet was written. */
  hasStarted: boolean;
}

/**
 * Copies the video and audio streams of the file at `from` to a new file at `to` without decoding them, and nothing
 * else of the original. Rejects with `UnreadableVideoError` if that is impossible.
 */
export const copyStreams = (from: string, to: string, report: () => void = () => {}): Promise<CopiedStreams> =>
  withVideo(from, async (input, size) => {
    const { tracks, lacksSound } = await playableTracks(input);
    const edits = await readEdits(from);
    const editsOf = (track: InputTrack) => edits.find(({ id }) => id === track.id);
    if (tracks.some((track) => editsOf(track)?.isComplex))
      throw new UnreadableVideoError("its pieces are not played one after the other");
    const codecs = await Promise.all(tracks.map(codecOf));
    const container = (await input.getFormat()).name;
    if (codecs.some(isPcm) && !isMatroska(container)) await checkSoundTables(from, tracks);
    const moov: { position: number; bytes: Buffer }[] = [];
    const { type, format } = formatFor(container, codecs, (data, position) => {
      moov.push({ position, bytes: Buffer.from(data) });
    });
    const file = await open(to, "w");
    try {
      const writable = new WritableStream<StreamTargetChunk>({
        write: async ({ data, position }) => void (await file.write(data, 0, data.length, position)),
      });
      const target = new StreamTarget(writable, { chunked: true, chunkSize: CHUNK_BYTES });
      const output = new Output({ format, target });
      const streams: Stream[] = [];
      const framings = new Set<NalFraming>();
      const disposition = await dispositionsOf(tracks);
      for (const track of tracks)
        streams.push(await addStream(output, track, disposition(track), framings, editsOf(track)));
      await output.start();
      const bytes = await interleave(streams, size + MAX_GROWTH_BYTES, report);
      if (!streams.every(({ hasStarted }) => hasStarted))
        throw new UnreadableVideoError("one of its streams cannot be found");
      // If a movie has both tables and fragments, the library ignores the fragments.
      if (bytes < LEAST_PART * (await mediaBytesAt(from)))
        throw new UnreadableVideoError("only a part of it can be found");
      await output.finalize();
      await removeTimes(file, moov);
    } finally {
      await file.close();
    }
    return { type, lacksSound };
  });

async function playableTracks(input: Input): Promise<{ tracks: InputTrack[]; lacksSound: boolean }> {
  const tracks = await input.getTracks();
  const isKnown = await Promise.all(tracks.map(async (track) => (await codecOf(track)) !== null));
  const ofType = (type: string, isNamed?: boolean) =>
    tracks.filter((track, index) => track.type === type && (isNamed === undefined || isKnown[index] === isNamed));
  const [videos, sounds] = [ofType("video", true), ofType("audio", true)];
  // A video without readable pictures is rejected; an unreadable cover beside them is ignored.
  if (videos.length === 0 && ofType("video").length > 0)
    throw new UnreadableVideoError("its pictures are in an unknown format");
  if (videos.length + sounds.length === 0) throw new UnreadableVideoError("it has nothing to see or to hear");
  return { tracks: [...videos, ...sounds], lacksSound: sounds.length === 0 && ofType("audio").length > 0 };
}

const codecOf = async (track: InputTrack): Promise<MediaCodec | null> =>
  track.isVideoTrack() || track.isAudioTrack() ? track.getCodec() : null;

const isMatroska = (name: string) => /matroska|webm/i.test(name);

/** WebM stays WebM if possible. Uncompressed sound plays in QuickTime files, everything else in MP4. */
function formatFor(
  from: string,
  codecs: (MediaCodec | null)[],
  onMoov: (data: Uint8Array, position: number) => void,
): { type: CopiedStreams["type"]; format: OutputFormat } {
  const webm = new WebMOutputFormat();
  const fits = (format: OutputFormat) =>
    codecs.every((codec) => codec !== null && format.getSupportedCodecs().includes(codec));
  if (isMatroska(from) && fits(webm)) return { type: "video/webm", format: webm };
  if (codecs.some(isPcm)) return { type: "video/quicktime", format: new MovOutputFormat({ fastStart: false, onMoov }) };
  const mp4 = new Mp4OutputFormat({ fastStart: false, onMoov });
  if (fits(mp4)) return { type: "video/mp4", format: mp4 };
  return { type: "video/quicktime", format: new MovOutputFormat({ fastStart: false, onMoov }) };
}

/** Checks the tables with the sample sizes that the codecs of uncompressed sound imply. */
async function checkSoundTables(path: string, tracks: InputTrack[]): Promise<void> {
  const frameBytes = new Map<number, number>();
  for (const track of tracks) {
    const codec = await codecOf(track);
    const config = track.isAudioTrack() && isPcm(codec) ? await track.getDecoderConfig() : null;
    if (codec && config) frameBytes.set(track.id, sampleBytes(codec) * config.numberOfChannels);
  }
  const file = await open(path);
  await checkTables(file, frameBytes).finally(() => file.close());
}

/** Adds a track to the output, and its NAL framing to `framings`. No sound may contain units in such a framing. */
async function addStream(
  output: Output,
  track: InputTrack,
  disposition: { default: boolean },
  framings: Set<NalFraming>,
  edits: TrackEdits | undefined,
): Promise<Stream> {
  const codec = await codecOf(track);
  const config = track.isVideoTrack() || track.isAudioTrack() ? await track.getDecoderConfig() : null;
  if (!codec || !config) throw new UnreadableVideoError("one of its streams lacks its settings");
  const { description, filter, framing } = streamPrivacy(codec, bytesOf(config.description));
  if (framing) framings.add(framing);
  const decoderConfig = { ...config, ...(description && { description }) };
  // Decoder settings that are known beforehand keep the order of the streams. Otherwise the first packet contains them.
  const isKnown = description !== undefined;
  const packets = new EncodedPacketSink(track).packets();
  if (track.isVideoTrack()) {
    const source = new EncodedVideoPacketSource(codec as VideoCodec);
    const transformationMatrix = await track.getTransformationMatrix();
    output.addVideoTrack(source, {
      disposition,
      ...(isKnown && { decoderConfig: decoderConfig as VideoDecoderConfig }),
      ...(output.format.supportsVideoTransformationMetadata && { transformationMatrix }),
    });
    const meta = { decoderConfig: decoderConfig as VideoDecoderConfig };
    const isPlayed = pictureCut(edits);
    const stream: Stream = {
      packets,
      next: undefined,
      hasStarted: false,
      async add(packet) {
        if (!isPlayed(packet, stream.hasStarted)) return;
        // Packets before the first key frame cannot be shown.
        const data = stream.hasStarted || packet.type === "key" ? filter(packet.data) : new Uint8Array();
        if (data.length === 0) return;
        stream.hasStarted = true;
        await source.add(packet.clone({ data, sideData: {} }), meta);
      },
      close: () => source.close(),
    };
    return stream;
  }
  const source = new EncodedAudioPacketSource(codec as AudioCodec);
  const languageCode = await track.getLanguageCode();
  output.addAudioTrack(source, {
    disposition,
    ...(/^[a-z]{3}$/.test(languageCode) && { languageCode }),
    ...(isKnown && { decoderConfig: decoderConfig as AudioDecoderConfig }),
  });
  const meta = { decoderConfig: decoderConfig as AudioDecoderConfig };
  const isPlayed = soundCut(edits);
  const checkSilence = isPcm(codec) ? silenceCheck() : () => {};
  const stream: Stream = {
    packets,
    next: undefined,
    hasStarted: false,
    async add(packet) {
      if (!isPlayed(packet)) return;
      stream.hasStarted = true;
      for (const units of framings) {
        if (isNalUnits(packet.data, units)) throw new UnreadableVideoError("one of its sounds holds pictures");
      }
      checkSilence(packet, bytesPerSecond(codec, config as AudioDecoderConfig));
      await source.add(packet, meta);
    },
    close: () => source.close(),
  };
  return stream;
}

/** Keeps the tracks' own choice of the first picture and sound to play. A kind without a choice gets its first track. */
async function dispositionsOf(tracks: InputTrack[]): Promise<(track: InputTrack) => { default: boolean }> {
  const defaults = new Set<InputTrack>();
  for (const track of tracks) if ((await track.getDisposition()).default) defaults.add(track);
  for (const type of ["video", "audio"]) {
    const [first, ...rest] = tracks.filter((track) => track.type === type);
    if (first && ![first, ...rest].some((track) => defaults.has(track))) defaults.add(first);
  }
  return (track) => ({ default: defaults.has(track) });
}

/** The times of a track's single piece, as the library counts them: from the beginning of the movie. */
function timesOf({ lead, pieces }: TrackEdits): { from: number; until: number } {
  const part = pieces.find(({ start }) => start !== undefined);
  return { from: lead, until: lead + (part?.seconds ?? 0) };
}

/** The precision of times in an edit list, in seconds. */
const ROUNDING = 0.001;

/**
 * Returns whether a packet of pictures is played, given whether one was before. A picture needs those that were
 * decoded before it, so only whole packets at the beginning and the end can be left out. Throws
 * `UnreadableVideoError` if the first picture that is played needs one that is not, or a later one does.
 */
function pictureCut(edits: TrackEdits | undefined): (packet: EncodedPacket, hasStarted: boolean) => boolean {
  if (!edits) return () => true;
  const { from, until } = timesOf(edits);
  const refuse = () => {
    throw new UnreadableVideoError("it is cut between pictures that need each other");
  };
  let hasLeftKey = false;
  let hasEnded = false;
  return ({ timestamp, duration, type }, hasStarted) => {
    if (timestamp < from - ROUNDING && timestamp + duration <= from + ROUNDING) {
      if (type === "key") hasLeftKey = true;
      return false;
    }
    if (timestamp >= until - ROUNDING) {
      hasEnded = true;
      return false;
    }
    if (hasEnded || (!hasStarted && hasLeftKey && type !== "key")) refuse();
    return true;
  };
}

/** Returns whether a packet of sound is played. Packets that prepare the decoder stay, unless a person cut there. */
function soundCut(edits: TrackEdits | undefined): (packet: EncodedPacket) => boolean {
  if (!edits) return () => true;
  const { from, until } = timesOf(edits);
  const isCut = isTrimmed({ ...edits, hiddenEnd: 0 });
  return ({ timestamp, duration }) =>
    timestamp < until - ROUNDING && !(isCut && timestamp + duration <= from + ROUNDING);
}

const isPcm = (codec: MediaCodec | null) => (PCM_AUDIO_CODECS as readonly (MediaCodec | null)[]).includes(codec);

/** The byte rate of uncompressed sound. */
const bytesPerSecond = (codec: MediaCodec, { sampleRate, numberOfChannels }: AudioDecoderConfig) =>
  sampleRate * numberOfChannels * sampleBytes(codec);

/** Returns the bytes of a sample. The codec's name contains the number of bits; without a number there are eight. */
const sampleBytes = (codec: MediaCodec) => Number(codec.match(/\d+/)?.[0] ?? 8) / 8;

/** Rejects timestamps that would add hours of silence between packets. */
function silenceCheck(): (packet: EncodedPacket, bytesPerSecond: number) => void {
  let expected: number | undefined;
  let silence = 0;
  return ({ timestamp, data }, bytesPerSecond) => {
    silence += Math.max(0, timestamp - (expected ?? timestamp));
    if (silence > MAX_SILENCE) throw new UnreadableVideoError("its tables claim more sound than it holds");
    expected = Math.max(timestamp, expected ?? timestamp) + data.length / bytesPerSecond;
  };
}

const bytesOf = (source: AllowSharedBufferSource | undefined): Uint8Array | undefined =>
  source === undefined
    ? undefined
    : ArrayBuffer.isView(source)
      ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
      : new Uint8Array(source);

async function mediaBytesAt(path: string): Promise<number> {
  const file = await open(path);
  return mediaBytes(file).finally(() => file.close());
}

/** Writes all packets in the order of their timestamps. Resolves to their total bytes. */
async function interleave(streams: Stream[], maxBytes: number, report: () => void): Promise<number> {
  const advance = async (stream: Stream) => {
    stream.next = (await stream.packets.next()).value ?? undefined;
    if (!stream.next) stream.close();
  };
  for (const stream of streams) await advance(stream);
  let [bytes, count] = [0, 0];
  for (;;) {
    let earliest: Stream | undefined;
    for (const stream of streams) {
      if (stream.next && (!earliest?.next || stream.next.timestamp < earliest.next.timestamp)) earliest = stream;
    }
    if (!earliest?.next) return bytes;
    bytes += earliest.next.data.length;
    count += 1;
    if (bytes > maxBytes || count > MAX_PACKETS) throw new UnreadableVideoError("its tables claim more than it holds");
    if (count % REPORT_PACKETS === 0) report();
    await earliest.add(earliest.next);
    await advance(earliest);
  }
}

/** Clears the creation times, which the library sets to now. */
async function removeTimes(file: FileHandle, boxes: { position: number; bytes: Buffer }[]): Promise<void> {
  for (const { position, bytes } of boxes) {
    for (const time of writtenTimes(bytes)) {
      await file.write(Buffer.alloc(time.length), 0, time.length, position + time.position);
    }
  }
  await file.sync();
}
