import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import type { WorkClock } from "./work-meter.ts";

/** The processor time of database backends on this machine. */
export interface ProcessorClocks {
  /**
   * Resolves to the clock of the backend with this process id; undefined if its processor time cannot be read. For an
   * unknown id, `startOf` is called: it resolves to the backend's start in seconds since 1970.
   */
  of(pid: number, startOf: () => Promise<number>): Promise<WorkClock | undefined>;
  close(): void;
}

/** Open files of backends. More than a pooler's backends are not kept open. */
const MOST_BACKENDS = 200;
/** The difference in seconds by which two clocks may report the same start of a process. */
const SAME_START_S = 2;
/** The kernel's unit of a process's start time. */
const TICKS_PER_SECOND = 100;

/**
 * Reads the processor time of backends from the kernel (Linux, `/proc/PID/schedstat`). It does not include waiting for a
 * lock, a disk, a stopped process or a busy processor.
 */
export function openProcessorClocks(): ProcessorClocks {
  /** The file of each backend; undefined for a process that is not the backend, as on another machine. */
  const files = new Map<number, number | undefined>();
  const buffer = Buffer.alloc(80);

  const forget = (pid: number) => {
    const file = files.get(pid);
    files.delete(pid);
    if (file !== undefined) closeSync(file);
  };
  const read = (file: number): number =>
    Number(buffer.toString("latin1", 0, readSync(file, buffer, 0, buffer.length, 0)).split(" ", 1)[0]) / 1e6;

  const clockOf = (pid: number, file: number): WorkClock => {
    let last = 0;
    return () => {
      try {
        last = read(file);
      } catch {
        // The backend has ended. The process id may be used again.
        if (files.get(pid) === file) forget(pid);
      }
      return last;
    };
  };

  return {
    async of(pid, startOf) {
      if (!files.has(pid)) {
        const startedAt = await startOf();
        if (files.size >= MOST_BACKENDS) for (const oldest of [...files.keys()].slice(0, 1)) forget(oldest);
        files.set(pid, isBackend(pid, startedAt) ? openSync(`/proc/${pid}/schedstat`, "r") : undefined);
      }
      const file = files.get(pid);
      return file === undefined ? undefined : clockOf(pid, file);
    },
    close() {
      for (const pid of [...files.keys()]) forget(pid);
    },
  };
}

/** Whether a process of this machine is the backend that started at this time, in seconds since 1970. */
function isBackend(pid: number, startedAt: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    if (!stat.includes("(postgres)")) return false;
    const ticks = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]);
    const boot = Number(/^btime (\d+)/m.exec(readFileSync("/proc/stat", "utf8"))?.[1]);
    return Math.abs(boot + ticks / TICKS_PER_SECOND - startedAt) <= SAME_START_S;
  } catch {
    return false;
  }
}

export interface ProgressClock {
  now: WorkClock;
  /** Observes the database's speed until the returned function is called. */
  observe(): () => void;
}

/** The pause between two probes in milliseconds. */
const PAUSE_MS = 50;
/** The time by which a probe may be slower than the fastest one, in milliseconds; networks vary that much. */
const TOLERANCE_MS = 5;

/**
 * A clock for a database on another machine, whose processor time cannot be read. It runs as fast as the database answers
 * `probe`, a statement of constant work: at full speed while that takes its usual time, slower while it takes longer, and
 * not at all while the database stands still.
 */
export function openProgressClock(probe: () => Promise<unknown>, now = () => performance.now()): ProgressClock {
  let fastest = Number.POSITIVE_INFINITY;
  let work = 0;
  let workAt = now();
  let speed = 1;
  let sentAt: number | undefined;
  let observers = 0;
  let isScheduled = false;

  const usual = () => (fastest === Number.POSITIVE_INFINITY ? fastest : Math.max(2 * fastest, fastest + TOLERANCE_MS));
  const advance = () => {
    const at = now();
    // While a probe is out, at most its usual time counts.
    const until = sentAt === undefined ? at : Math.min(at, sentAt + usual());
    work += Math.max(0, until - workAt) * speed;
    workAt = Math.max(workAt, until);
    return at;
  };
  const send = async () => {
    isScheduled = false;
    if (observers === 0) return;
    sentAt = advance();
    await probe().catch(() => {});
    const at = advance();
    const took = at - sentAt;
    fastest = Math.min(fastest, took);
    speed = Math.min(1, usual() / Math.max(took, Number.MIN_VALUE));
    workAt = at;
    sentAt = undefined;
    schedule();
  };
  const schedule = () => {
    if (isScheduled) return;
    isScheduled = true;
    setTimeout(() => void send(), PAUSE_MS).unref();
  };

  return {
    now() {
      advance();
      return work;
    },
    observe() {
      observers += 1;
      if (sentAt === undefined) schedule();
      return () => {
        observers -= 1;
      };
    },
  };
}
