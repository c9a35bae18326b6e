import { isPicture } from "../../../shared/media-types.ts";
import { photoFormat } from "../../../shared/photo-format.ts";
import { soundFormat } from "../../../shared/sound-format.ts";
import type { ReadBytes } from "../../../shared/tiff.ts";
import { promptOf } from "./answered-prompt.ts";
import { findDuplicates, type Stored } from "./duplicates.ts";
import { endsOf } from "./file-ends.ts";
import type { HashFile } from "./file-hash.ts";
import { HEAD_BYTES, maxBytesOf, mediaType } from "./media-type.ts";
import { REFUSED_HEAD_BYTES, type RefusedKind, refusedKind } from "./refused-kind.ts";
import type { RetryBackoff } from "./retry-backoff.ts";
import { factsBeside, withoutSidecars } from "./takeout.ts";
import type { Entry, UploadEntries } from "./upload-entries.ts";
import type { UploadProblem } from "./upload-failure.ts";
import type { KeptFile, UploadStore } from "./upload-store.ts";

/** Maximum size in bytes of files copied into the browser's store. Copying larger ones is slow and often fails. */
export const MAX_KEPT_BYTES = 200 * 1024 * 1024;

const TOGETHER = 20;
const COMPARED_TOGETHER = 100;

export interface IntakeDeps {
  store: UploadStore;
  hash: HashFile;
  /** A memory's files with one of these sizes; rejects without a network. */
  storedLike: (memoryId: string, sizes: readonly number[]) => Promise<Stored[]>;
  newId?: () => string;
}

export interface UploadBatch {
  who: string;
  memoryId: string;
  files: readonly File[];
  /** Whether the first photo becomes the memory's cover. */
  firstAsCover: boolean;
}

/**
 * Adds files to a queue: detects their type, stores copies in the browser, and finds duplicates. Works in small groups,
 * so that the first uploads begin while later files are still being read.
 */
export class UploadIntake {
  readonly #deps: IntakeDeps;
  readonly #entries: UploadEntries;
  readonly #backoff: RetryBackoff;
  readonly #onReady: () => void;
  #turn: Promise<unknown> = Promise.resolve();
  #comparing = false;
  /** Checked and stored, but not yet compared with the memory. */
  readonly #uncompared = new Set<Entry>();

  constructor(deps: IntakeDeps, entries: UploadEntries, backoff: RetryBackoff, onReady: () => void) {
    this.#deps = deps;
    this.#entries = entries;
    this.#backoff = backoff;
    this.#onReady = onReady;
  }

  /** Resolves when every file has been checked and, if possible, stored so that it survives a reload. */
  add(batch: UploadBatch): Promise<void> {
    const { media, sidecars } = withoutSidecars(batch.files);
    const entered = this.#enter({ ...batch, files: media });
    const done = this.#turn.then(async () => {
      const factsOf = await factsBeside(sidecars);
      for (const { record } of entered) Object.assign(record, factsOf(record.name));
      await this.#take(entered, batch.firstAsCover);
    });
    this.#turn = done.catch(() => {});
    return done;
  }

  /** Adds the stored files of an earlier page. */
  resume(files: readonly KeptFile[]): void {
    for (const file of files) {
      const { url, wantedTwice, paused } = file.upload;
      // An upload with a URL was already compared before its first byte was sent.
      const compared = url !== undefined || wantedTwice;
      const entry = this.#entries.add(file, paused ? "paused" : compared ? "waiting" : "checking");
      entry.safe = true;
      if (!compared && !paused) this.#uncompared.add(entry);
    }
    void this.#compare();
  }

  /** Compares a file again, e.g. one that was paused before. */
  compare(entry: Entry): void {
    this.#entries.change(entry, { state: "checking" });
    this.#uncompared.add(entry);
    void this.#compare();
  }

  #enter({ who, memoryId, files }: UploadBatch): Entry[] {
    const now = Date.now();
    return files.map((file, index) => {
      const upload = {
        id: (this.#deps.newId ?? (() => crypto.randomUUID()))(),
        who,
        memoryId,
        name: file.name,
        type: "",
        size: file.size,
        lastModified: file.lastModified,
        addedAt: now + index / 10_000,
        asCover: false,
        paused: false,
        wantedTwice: false,
        ...promptOf(file),
      };
      return this.#entries.add({ upload, bytes: file }, "checking");
    });
  }

  async #take(entered: readonly Entry[], firstAsCover: boolean): Promise<void> {
    let coverIsFree = firstAsCover;
    for (let from = 0; from < entered.length; from += TOGETHER) {
      const group = entered.slice(from, from + TOGETHER).filter((entry) => this.#entries.get(entry.record.id));
      const problems = await Promise.all(group.map(look));
      const good = group.filter((entry, index) => {
        const finding = problems[index];
        this.#entries.change(entry, finding ? { state: "failed", ...finding } : { type: entry.record.type });
        // One that was removed in the meantime must not be sent after a reload.
        return !finding && this.#entries.get(entry.record.id) !== undefined;
      });
      const cover = coverIsFree ? good.find(({ record }) => record.type.startsWith("image/")) : undefined;
      if (cover) {
        coverIsFree = false;
        cover.record.asCover = true;
        this.#entries.change(cover, { asCover: true });
      }
      await this.#keep(good);
      // It may have been removed or paused in the meantime.
      for (const entry of good) if (entry.view.state === "checking") this.#uncompared.add(entry);
      void this.#compare();
    }
  }

  async #keep(group: readonly Entry[]): Promise<void> {
    const keptWhole = group.filter(({ record }) => record.size <= MAX_KEPT_BYTES);
    const files = group.map((entry) => ({
      upload: entry.record,
      bytes: keptWhole.includes(entry) ? entry.view.file : undefined,
    }));
    if (files.length === 0) return;
    // Without stored bytes only resuming after a reload is lost: the upload itself continues from memory.
    const bytesAreKept = await this.#deps.store.put(files).catch(() => false);
    for (const entry of keptWhole) entry.safe = bytesAreKept;
  }

  /** Compares all waiting files, a group at a time. */
  async #compare(): Promise<void> {
    if (this.#comparing) return;
    this.#comparing = true;
    for (let attempt = 1; ; ) {
      const group = this.#nextGroup();
      if (group.length === 0) break;
      const memoryId = group[0]?.record.memoryId ?? "";
      // Read before the request: a file added during it is in this list or in the response.
      const queued = this.#entries
        .ofMemory(memoryId)
        .filter((entry) => !group.includes(entry) && /waiting|uploading|paused/.test(entry.view.state));
      const sizes = [...new Set(group.map(({ record }) => record.size))];
      const stored = await this.#deps.storedLike(memoryId, sizes).catch(() => undefined);
      if (!stored) {
        await this.#backoff.after(attempt++);
        continue;
      }
      attempt = 1;
      const comparison = { candidates: group.map(asCandidate), queued: queued.map(asCandidate), stored };
      const duplicates = await findDuplicates(comparison, this.#deps.hash).catch(() => new Set<string>());
      for (const entry of group) {
        this.#uncompared.delete(entry);
        if (entry.view.state !== "checking") continue;
        this.#entries.change(entry, { state: duplicates.has(entry.record.id) ? "duplicate" : "waiting" });
      }
      this.#onReady();
    }
    this.#comparing = false;
  }

  /** Files of one memory that wait for their comparison. */
  #nextGroup(): Entry[] {
    for (const entry of this.#uncompared) if (!this.#entries.get(entry.record.id)) this.#uncompared.delete(entry);
    const [first] = this.#uncompared;
    return [...this.#uncompared]
      .filter(({ record }) => record.memoryId === first?.record.memoryId)
      .slice(0, COMPARED_TOGETHER);
  }
}

const asCandidate = ({ record, view }: Entry) => ({
  id: record.id,
  name: record.name,
  size: record.size,
  bytes: view.file,
});

/** Why a file is refused. */
interface Finding {
  problem: UploadProblem;
  refused?: RefusedKind;
}

/** Detects a file's type by its content; resolves to its problem, if any. */
async function look({ record, view }: Entry): Promise<Finding | undefined> {
  const { file } = view;
  // A file can vanish between the drop and the first read.
  const head = await file
    ?.slice(0, REFUSED_HEAD_BYTES)
    .arrayBuffer()
    .catch(() => undefined);
  if (!file || !head) return { problem: "failed" };
  const type = await typeOf(file, new Uint8Array(head));
  if (!type) return { problem: "type", refused: refusedKind(new Uint8Array(head), record.name) };
  if (record.size > maxBytesOf(type)) return { problem: "size" };
  record.type = type;
  if (record.size > MAX_KEPT_BYTES) record.ends = await endsOf(file).catch(() => undefined);
  return undefined;
}

/** A raw photo may look like a TIFF until its directories are read, and a recording like a video until its tracks are. */
async function typeOf(file: Blob, head: Uint8Array): Promise<string | undefined> {
  const type = mediaType(head.subarray(0, HEAD_BYTES));
  if (!type || !isPicture(type)) {
    const sound = await soundFormat(bytesOf(file)).catch(() => undefined);
    if (sound) return sound;
  }
  if (type && type !== "image/tiff") return type;
  return (await photoFormat(bytesOf(file)).catch(() => undefined)) ?? type;
}

const bytesOf =
  (file: Blob): ReadBytes =>
  async (at, length) =>
    new Uint8Array(await file.slice(at, at + length).arrayBuffer());
