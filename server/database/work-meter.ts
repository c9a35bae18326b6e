import { AsyncLocalStorage } from "node:async_hooks";

/** Milliseconds of the database's work so far, from any beginning. */
export type WorkClock = () => number;

/** Measures the database's work for one statement or transaction of a request. */
export class WorkMeter {
  /** Whether the work holds its slot of the queue. */
  holdsSlot = true;
  #ended = 0;
  #clock: WorkClock | undefined;
  #startedAt = 0;

  /** Milliseconds of work, including running work. */
  spent(): number {
    return this.#ended + (this.#clock ? Math.max(0, this.#clock() - this.#startedAt) : 0);
  }

  /** Measures by `clock` until {@link stop}. */
  start(clock: WorkClock): void {
    this.#startedAt = clock();
    this.#clock = clock;
  }

  stop(): void {
    this.#ended = this.spent();
    this.#clock = undefined;
  }
}

const meters = new AsyncLocalStorage<WorkMeter>();

/** The meter of the current request's work; undefined for the server's own. */
export const currentMeter = (): WorkMeter | undefined => meters.getStore();

/** Runs work that `meter` measures. */
export const inMeter = <T>(meter: WorkMeter, work: () => Promise<T>): Promise<T> => meters.run(meter, work);
