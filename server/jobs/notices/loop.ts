import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "../../database/database.ts";
import { owedLetters } from "./mailing.ts";
import { remind } from "./reminding.ts";

/** Mornings are kept to the minute. */
const PERIOD_MS = 60_000;
/** Many notices that come together are one round. */
const TOGETHER_MS = 500;

interface NoticesDeps {
  db: Database;
  log: { error(error: unknown, message?: string): void };
}

/** One round of everything that is due at `now`. */
export async function tellPeople(db: Database, now: Date): Promise<void> {
  await remind(db, now);
  await owedLetters(db, now);
}

/** Reminds and writes letters, each minute and as notices come; resolves to a function that ends it. */
export async function startNotices({ db, log }: NoticesDeps): Promise<() => Promise<void>> {
  let stopping = false;
  let round: Promise<void> | undefined;
  let again = false;
  const work = async () => {
    do {
      again = false;
      await delay(TOGETHER_MS, undefined, { ref: false });
      if (stopping) return;
      await tellPeople(db, new Date()).catch((error: unknown) => {
        if (!stopping) log.error({ err: error }, "The notices could not be worked through");
      });
    } while (again && !stopping);
  };
  const wake = () => {
    again = true;
    round ??= work().finally(() => {
      round = undefined;
    });
  };
  const unlisten = await db.listen("notices", wake);
  const timer = setInterval(wake, PERIOD_MS).unref();
  wake();
  return async () => {
    stopping = true;
    clearInterval(timer);
    await unlisten();
    await round;
  };
}
