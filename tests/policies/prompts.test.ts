import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import { testDatabase } from "../support/database.ts";
import { makeWorld, type Who } from "../support/world.ts";

const db = await testDatabase();
const world = await makeWorld(db);
const { memoryId, bobsMemoryId, callers } = world;

const run = <Result = Record<string, unknown>>(caller: Caller, text: string, values: unknown[] = []) =>
  asCaller(db, caller, async (tx) => (await tx.query<Result>(text, values)).rows);
const ask = async (text: string, caller = callers.owner, memory = memoryId) =>
  (
    await run<{ id: string }>(caller, "insert into prompts (memory_id, text) values ($1, $2) returning id", [
      memory,
      text,
    ])
  )[0]?.id ?? "";
const textsOf = async () =>
  (await run<{ text: string }>(callers.guest, "select text from prompts order by position")).map(({ text }) => text);

/** Uploads a file that says which prompt it answers; resolves to its id. */
async function upload(caller: Caller, prompt: string) {
  const id = randomUUID();
  await run(
    caller,
    `insert into storage.objects (id, bucket_id, name, owner, owner_id, version, metadata, user_metadata)
     values ($1::uuid, 'media', $2, $3::uuid, $3::uuid::text, gen_random_uuid()::text, '{"mimetype": "image/jpeg", "size": 7}',
       jsonb_build_object('prompt', $4::text))`,
    [id, `${memoryId}/${id}.jpg`, caller.sub ?? null, prompt],
  );
  await db.query("update media set state = 'ready' where id = $1", [id]);
  return id;
}
const promptOf = async (table: "media" | "comments", id: string) =>
  (await run<{ prompt_id: string | null }>(callers.owner, `select prompt_id from ${table} where id = $1`, [id]))[0]
    ?.prompt_id;

beforeEach(async () => {
  await db.query("delete from prompts");
});

test("a question is cleaned, comes last, and is arranged by managers only", async () => {
  const first = await ask("  A photo\u202e of \n your table ");
  const second = await ask("What did she cook best?", callers["co-owner"]);
  expect(await textsOf()).toEqual(["A photo of your table", "What did she cook best?"]);
  for (const who of ["contributor", "guest", "stranger"] as const) {
    await run(callers[who], "select arrange_prompts($1, $2)", [memoryId, [second, first]]).catch(() => {});
    await run(callers[who], "update prompts set text = 'X'").catch(() => {});
    await run(callers[who], "delete from prompts").catch(() => {});
    await expect(ask("Mine", callers[who])).rejects.toThrow();
  }
  expect(await textsOf()).toEqual(["A photo of your table", "What did she cook best?"]);
  await run(callers.owner, "select arrange_prompts($1, $2)", [memoryId, [second, first]]);
  expect(await textsOf()).toEqual(["What did she cook best?", "A photo of your table"]);
  await expect(ask("  ")).rejects.toThrow();
  await expect(ask("x".repeat(201))).rejects.toThrow();
});

describe("an answer", () => {
  test.each<Who>(["guest", "contributor", "owner"])(
    "of the %s is a photo or words with the question, and stays without it",
    async (who) => {
      const prompt = await ask("A photo of your table");
      const photo = await upload(callers[who], prompt);
      const [comment] = await run<{ id: string }>(
        callers[who],
        "insert into comments (memory_id, body, prompt_id) values ($1, 'Tiramisù', $2) returning id",
        [memoryId, prompt],
      );
      expect(await promptOf("media", photo)).toBe(prompt);
      expect(await promptOf("comments", comment?.id ?? "")).toBe(prompt);
      await run(callers.owner, "delete from prompts where id = $1", [prompt]);
      expect(await promptOf("media", photo)).toBeNull();
      expect(await promptOf("comments", comment?.id ?? "")).toBeNull();
    },
  );

  test("belongs to a question of its own memory", async () => {
    const other = await ask("Elsewhere", callers.stranger, bobsMemoryId);
    for (const prompt of [other, randomUUID(), "no id", ""])
      expect(await promptOf("media", await upload(callers.guest, prompt))).toBeNull();
    for (const prompt of [other, randomUUID()]) {
      const row = "insert into comments (memory_id, body, prompt_id) values ($1, 'x', $2)";
      await expect(run(callers.guest, row, [memoryId, prompt])).rejects.toThrow(/prompt/);
    }
    const reply = "insert into comments (memory_id, body, prompt_id, parent_id) values ($1, 'x', $2, $3)";
    await expect(run(callers.guest, reply, [memoryId, await ask("Here"), world.commentId])).rejects.toThrow(/prompt/);
  });

  test("cannot be given by those who may only look, nor moved to another question", async () => {
    const [prompt, other] = [await ask("One"), await ask("Two")];
    const row = "insert into comments (memory_id, body, prompt_id) values ($1, 'x', $2)";
    for (const who of ["visitor", "viewer", "stranger", "nobody"] as const) {
      await expect(run(callers[who], row, [memoryId, prompt])).rejects.toThrow();
    }
    const photo = await upload(callers.guest, prompt);
    await expect(run(callers.guest, "update media set prompt_id = $1 where id = $2", [other, photo])).rejects.toThrow(
      /denied/,
    );
  });

  test("answers nothing in another memory that its photo moves to", async () => {
    const photo = await upload(callers.owner, await ask("One"));
    const memory = (
      await run<{ id: string }>(callers.owner, "insert into memories (person_name) values ('Two') returning id")
    )[0]?.id;
    await run(callers.owner, "update storage.objects set name = $1 where id = $2", [`${memory}/${photo}.jpg`, photo]);
    expect(await run(callers.owner, "select memory_id, prompt_id from media where id = $1", [photo])).toEqual([
      { memory_id: memory, prompt_id: null },
    ]);
  });

  test("waits for the reveal like everything that guests add", async () => {
    const photo = await upload(callers.guest, await ask("One"));
    await db.query("update reveals set revealed = false where memory_id = $1", [memoryId]);
    const seen = (who: Who) => run(callers[who], "select from media where id = $1", [photo]);
    expect([await seen("contributor"), await seen("guest"), await seen("owner")].map((rows) => rows.length)).toEqual([
      0, 1, 1,
    ]);
    await db.query("update reveals set revealed = true where memory_id = $1", [memoryId]);
    expect(await seen("contributor")).toHaveLength(1);
  });
});
