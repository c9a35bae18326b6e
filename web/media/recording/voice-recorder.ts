import { createStore } from "../../lib/browser/store.ts";
import { beginRecording, type KeptRecording, keepPart } from "./recording-store.ts";

/** The longest recording in milliseconds of sound. */
export const LONGEST_MS = 3_600_000;
/** How often a part is stored; a closed tab loses at most this much. */
const PART_MS = 1000;
const BITS_PER_SECOND = 96_000;
/** The types that browsers write, the best first. */
const TYPES = ["audio/webm;codecs=opus", "audio/mp4", "audio/ogg;codecs=opus"];

/** What a recorder does: waits for the permission, records, pauses, has ended, or was refused the microphone. */
export type RecorderState = "asking" | "recording" | "paused" | "ended" | "refused";

export interface RecorderView {
  state: RecorderState;
  /** Milliseconds of sound. */
  elapsed: number;
  /** The finished recording. */
  bytes?: Blob;
}

export const canRecord = (): boolean =>
  typeof MediaRecorder !== "undefined" && navigator.mediaDevices?.getUserMedia !== undefined;

/** Records the microphone and stores each second in the browser. It begins at once. */
export class VoiceRecorder {
  readonly view = createStore<RecorderView>({ state: "asking", elapsed: 0 });
  readonly recording: KeptRecording;
  readonly #parts: Blob[] = [];
  #recorder: MediaRecorder | undefined;
  #stream: MediaStream | undefined;
  #analyser: AnalyserNode | undefined;
  #context: AudioContext | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #wake: Promise<WakeLockSentinel | undefined> | undefined;
  #release = () => {};
  /** The sound before the current stretch, and when that began. */
  #before = 0;
  #since = 0;

  constructor(memoryId: string) {
    const type = TYPES.find((one) => MediaRecorder.isTypeSupported(one)) ?? "";
    this.recording = { id: crypto.randomUUID(), memoryId, type: type.replace(/;.*/, ""), startedAt: Date.now() };
    void this.#begin(type);
  }

  async #begin(type: string): Promise<void> {
    try {
      this.#stream = await navigator.mediaDevices.getUserMedia({ audio: true });
      const options = { audioBitsPerSecond: BITS_PER_SECOND, ...(type && { mimeType: type }) };
      this.#recorder = new MediaRecorder(this.#stream, options);
    } catch {
      this.#close();
      this.view.set({ state: "refused", elapsed: 0 });
      return;
    }
    // Closed while the browser asked for the permission.
    if (this.view.get().state === "ended") return this.#close();
    this.#release = await beginRecording(this.recording);
    const recorder = this.#recorder;
    recorder.ondataavailable = ({ data }) => {
      if (data.size === 0) return;
      this.#parts.push(data);
      void keepPart(this.recording.id, data);
    };
    recorder.onstop = () => this.#finish();
    // A call, or a phone that locks its screen, may take the microphone away. What was recorded stays.
    for (const track of this.#stream.getTracks()) track.onended = () => this.stop();
    recorder.start(PART_MS);
    this.#listen(this.#stream);
    this.#since = performance.now();
    this.#timer = setInterval(() => this.#tick(), 200);
    this.#wake = navigator.wakeLock?.request("screen").catch(() => undefined);
    this.#show("recording");
  }

  /** The loudness now, from 0 to 1. */
  level(): number {
    if (!this.#analyser || this.view.get().state !== "recording") return 0;
    const samples = new Float32Array(this.#analyser.fftSize);
    this.#analyser.getFloatTimeDomainData(samples);
    const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
    return Math.min(1, Math.sqrt(power) * 5);
  }

  pause(): void {
    if (this.#recorder?.state !== "recording") return;
    this.#recorder.pause();
    this.#before = this.#elapsed();
    this.#show("paused");
  }

  resume(): void {
    if (this.#recorder?.state !== "paused") return;
    this.#recorder.resume();
    this.#since = performance.now();
    this.#show("recording");
  }

  /** Ends the recording. Its last part follows. */
  stop(): void {
    const { state } = this.view.get();
    if (state === "recording") this.#before = this.#elapsed();
    if (this.#recorder && this.#recorder.state !== "inactive") this.#recorder.stop();
    else if (state === "asking") this.view.set({ state: "ended", elapsed: 0 });
  }

  #elapsed(): number {
    return this.#before + (this.view.get().state === "recording" ? performance.now() - this.#since : 0);
  }

  #tick(): void {
    const { state } = this.view.get();
    if (state !== "recording") return;
    this.#show(state);
    if (this.#elapsed() >= LONGEST_MS) this.stop();
  }

  #show(state: RecorderState): void {
    const elapsed = state === "recording" && this.view.get().state !== "recording" ? this.#before : this.#elapsed();
    this.view.set({ state, elapsed });
  }

  #listen(stream: MediaStream): void {
    try {
      this.#context = new AudioContext();
      this.#analyser = this.#context.createAnalyser();
      this.#context.createMediaStreamSource(stream).connect(this.#analyser);
    } catch {
      // Without a level, the recording is the same.
    }
  }

  #finish(): void {
    this.#close();
    const bytes = new Blob(this.#parts, { type: this.recording.type });
    this.view.set({ state: "ended", elapsed: this.#before, bytes });
  }

  #close(): void {
    clearInterval(this.#timer);
    for (const track of this.#stream?.getTracks() ?? []) track.stop();
    void this.#context?.close().catch(() => {});
    void this.#wake?.then((lock) => lock?.release()).catch(() => {});
    this.#release();
  }
}

/** What the dialog begins with: the microphone, or a recording that was not added because the page was closed. */
export type Recorded = VoiceRecorder | (KeptRecording & { bytes: Blob });

/** Adds a recording. Resolves once it is stored in the browser; undefined if a name has to be given first. */
export type AddRecording = (files: File[]) => Promise<unknown> | undefined;

const ENDINGS: Record<string, string | undefined> = { "audio/mp4": "m4a", "audio/ogg": "ogg" };

/** The file of a recording, named by its local time, which becomes its date. */
export function recordingFile(word: string, { type, startedAt }: KeptRecording, bytes: Blob): File {
  const local = new Date(startedAt - new Date(startedAt).getTimezoneOffset() * 60_000).toISOString();
  const time = local.slice(0, 19).replace("T", " ").replaceAll(":", ".");
  return new File([bytes], `${word} ${time}.${ENDINGS[type] ?? "webm"}`, { type, lastModified: startedAt });
}
