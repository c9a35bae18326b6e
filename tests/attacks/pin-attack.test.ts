import { beforeAll, beforeEach, expect, test } from "vitest";
import { emptyDatabase } from "../support/database.ts";
import { testServer } from "../support/server.ts";
import { type Owner, open, ownerOf, setPin } from "../support/sharing.ts";

const server = await testServer({ TRUST_PROXY: "127.0.0.1" });
const { db } = server;

const ADDRESSES = 500;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The result of an attack. */
interface Attack {
  /** Guesses whose PIN was checked; all others were locked out. */
  checked: number;
  /** Checked guesses that were right. */
  opened: number;
}

// The counters use the database's clock. These copies of the functions are identical, but use a clock that a test sets.
beforeAll(async () => {
  await db.exec(`create function private.attack_clock() returns timestamptz language sql stable as
    $$ select '2030-01-01'::timestamptz + make_interval(secs => current_setting('attack.seconds')::float8) $$`);
  for (const name of ["hold_share_attempts", "begin_share_attempt"]) {
    const { rows } = await db.query<{ text: string }>("select pg_get_functiondef($1::regproc) as text", [
      `private.${name}`,
    ]);
    const text = rows[0]?.text ?? "";
    expect(text).toContain("clock_timestamp()");
    await db.exec(
      text
        .replaceAll("clock_timestamp()", "private.attack_clock()")
        .replaceAll("private.hold_share_attempts", "private.moved_hold_share_attempts")
        .replaceAll("private.begin_share_attempt", "private.moved_begin_share_try"),
    );
  }
  // Guesses one by one from 0000, in turn from each address. None is right, because a right guess would be refunded.
  await db.exec(`create function private.attack(share text, times float8[], first integer, last_pin integer)
    returns table (checked integer, opened integer) language plpgsql as $$
    declare
      attempt record;
      next_pin integer := first;
    begin
      checked := 0;
      opened := 0;
      for guess in 1..cardinality(times) loop
        perform set_config('attack.seconds', times[guess]::text, true);
        select * into attempt from private.moved_begin_share_try(share, 'address ' || guess % ${ADDRESSES});
        if attempt.allowed then
          checked := checked + 1;
          opened := opened + (next_pin = last_pin)::integer;
          next_pin := next_pin + 1;
        end if;
      end loop;
      return next;
    end $$`);
});

/** Guesses at these times, in seconds, at a link whose PIN is the last of all. */
async function attack(share: string, times: number[]): Promise<Attack> {
  const total: Attack = { checked: 0, opened: 0 };
  // In several transactions: within one, each counter would accumulate all its earlier row versions.
  for (let at = 0; at < times.length; at += 250) {
    const { rows } = await db.query<Attack>("select * from private.attack($1, $2, $3, 9999)", [
      share,
      times.slice(at, at + 250),
      total.checked,
    ]);
    total.checked += rows[0]?.checked ?? 0;
    total.opened += rows[0]?.opened ?? 0;
  }
  return total;
}

const evenly = (guesses: number, from: number, seconds: number) =>
  Array.from({ length: guesses }, (_, i) => from + (i * seconds) / guesses);

let ada: Owner;
beforeEach(async () => {
  await emptyDatabase(db);
  ada = await ownerOf(server, "Grandmother");
});

test("of 20,000 guesses from 500 addresses over thirty days at most 45 are checked", async () => {
  const { checked, opened } = await attack(ada.shareId, evenly(20_000, 0, 30 * DAY));
  // Five at once, one after each lock of 5, 15 and 60 minutes and 4 hours, and then one a day.
  expect(checked).toBeGreaterThan(30);
  expect(checked).toBeLessThanOrEqual(45);
  expect(opened).toBe(0);
});

test("waiting until the counts are removed allows no more guesses", async () => {
  // Six hours of guessing and a week of pause, five times.
  const bursts = [0, 1, 2, 3, 4].flatMap((burst) => evenly(400, burst * (7 * DAY + 6 * HOUR), 6 * HOUR));
  expect(await attack(ada.shareId, bursts)).toEqual({ checked: 45, opened: 0 });
});

test("any seven days allow at most fifteen guesses", async () => {
  expect((await attack(ada.shareId, evenly(4000, 0, 7 * DAY))).checked).toBeLessThanOrEqual(15);
});

test("over HTTP, other addresses each day allow five guesses on the first day and one on each later day", async () => {
  await setPin(server, ada, "9999");
  let pin = 0;
  const checked: number[] = [];
  for (let day = 0; day < 6; day++) {
    const guesses = Array.from({ length: 12 }, (_, i) =>
      open(server, ada.shareId, String(pin++).padStart(4, "0"), `198.51.${day}.${i}`),
    );
    const codes = (await Promise.all(guesses)).map(({ body }) => body.code);
    checked.push(codes.filter((code) => code === "pin_wrong").length);
    expect(codes.filter((code) => code === "locked")).toHaveLength(12 - (checked.at(-1) ?? 0));
    await db.query(`update private.share_attempts
      set locked_until = locked_until - interval '24 hours 1 second', forget_at = forget_at - interval '24 hours 1 second'`);
  }
  expect(checked).toEqual([5, 1, 1, 1, 1, 1]);
});
