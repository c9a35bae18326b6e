import { expect, test } from "vitest";
import { testDatabase } from "../../tests/support/database.ts";
import { separateLong } from "./long-rows.ts";

const db = await testDatabase();

const message = (kind: string, length: number) => {
  const bytes = Buffer.alloc(length, kind);
  bytes.writeUInt32BE(length - 1, 1);
  return bytes;
};

test.each([1, 4, 7, 1000, 20_000, 100_000])("messages stay whole and in order in pieces of %i bytes", (size) => {
  const sent = [5, 30, 50_000, 6, 16_384, 16_383, 70_001, 5].map((length, index) => message(`${index}`, length));
  const stream = Buffer.concat(sent);
  const received: Buffer[] = [];
  const long: number[] = [];
  const take = separateLong(
    (bytes) => received.push(Buffer.from(bytes)),
    (whole) => {
      received.push(whole);
      long.push(whole.length);
    },
  );
  for (let at = 0; at < stream.length; at += size) take(stream.subarray(at, at + size));
  expect(Buffer.concat(received).equals(stream)).toBe(true);
  expect(long).toEqual([50_000, 16_384, 70_001]);
});

const ask = (length: number) =>
  db.answer({
    role: "anon",
    claims: `{"role":"anon"}`,
    text: "select repeat('è', $1[1]::integer), 3::bigint, null::bigint",
    values: [`${length}`],
    readOnly: true,
    mayBeOld: false,
    planOnce: false,
    request: { method: "GET", path: "/", headers: "{}" },
  });

test("a long answer arrives as bytes, a short one as a string", async () => {
  const response = { status: null, headers: null };
  expect(await ask(3)).toEqual({ body: "èèè", page: 3, total: null, response });
  expect(await ask(300_000)).toEqual({ body: Buffer.from("è".repeat(300_000)), page: 3, total: null, response });
});

test("other statements of the same connections get long rows as usual", async () => {
  await Promise.all(Array.from({ length: 20 }, () => ask(20_000)));
  const { rows } = await db.query("select repeat('è', 20000) as text, null as nothing");
  expect(rows).toEqual([{ text: "è".repeat(20_000), nothing: null }]);
});
