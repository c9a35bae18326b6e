import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { type Person, signUp } from "../support/people.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf, post } from "../support/sharing.ts";
import { freshName, jpeg } from "../support/uploads.ts";

const server = await testServer({ TRUST_PROXY: "127.0.0.1" });
const { db } = server;
let ada: Owner;
let bea: Person;
let visitor: string;
let photo: string;
let video: string;

async function itemOf(type: "image" | "video"): Promise<string> {
  const name = freshName(ada.memoryId);
  const { error } = await server
    .client(ada.token)
    .storage.from("media")
    .upload(name, await jpeg());
  if (error) throw error;
  const { rows } = await db.query<{ id: string }>(
    "update media set state = 'ready', type = $2 where object_name = $1 returning id",
    [name, type],
  );
  return rows[0]?.id ?? "";
}

beforeAll(async () => {
  ada = await ownerOf(server, "Rosa Bellini");
  bea = await signUp(server, "Bea");
  await db.query("insert into memory_members (memory_id, user_id, role) values ($1, $2, 'viewer')", [
    ada.memoryId,
    bea.id,
  ]);
  const { rows } = await db.query<{ version: number }>("select version from share_links where id = $1", [ada.linkId]);
  visitor = await server.sign({ role: "anon", aud: "anon", share: { link: ada.linkId, version: rows[0]?.version } });
  photo = await itemOf("image");
  video = await itemOf("video");
});

let address = 0;
/** Asks from a network of its own, because a network asks 30 times an hour. */
const ask = (body: object, token?: string) =>
  post(server, "picture-request", body, {
    ...(token && { authorization: `Bearer ${token}` }),
    "x-forwarded-for": `198.51.100.${++address}`,
  });
const stored = async (id: unknown) =>
  (
    await db.query("select wish, words, name, email, user_id, guest_id, state from picture_requests where id = $1", [
      id,
    ])
  ).rows[0];

describe("a picture's request", () => {
  test("Spec §6: is sent without an account, by whoever may see the picture, and managers read it", async () => {
    const { status, body } = await ask(
      { mediaId: photo, wish: "blur", words: " On the left ", name: "Zia May", email: "may@example.com" },
      visitor,
    );
    expect(status).toBe(202);
    expect(await stored(body.id)).toEqual({
      wish: "blur",
      words: "On the left",
      name: "Zia May",
      email: "may@example.com",
      user_id: null,
      guest_id: null,
      state: "open",
    });
    const { data } = await server.client(ada.token).from("picture_requests").select("id,words").eq("id", body.id);
    expect(data).toEqual([{ id: body.id, words: "On the left" }]);
    expect((await server.client(visitor).from("picture_requests").select("id")).data ?? []).toEqual([]);
  });

  test("has the name of an account, whatever is typed", async () => {
    const { body } = await ask({ mediaId: photo, wish: "hide", name: "Somebody else" }, bea.token);
    expect(await stored(body.id)).toMatchObject({ name: "Bea", user_id: bea.id });
    const own = await bea.client.from("picture_requests").select("id,state");
    expect(own.data).toEqual([{ id: body.id, state: "open" }]);
  });

  test("is taken back by who sent it, until it is decided", async () => {
    const { body } = await ask({ mediaId: photo, wish: "hide" }, bea.token);
    for (const token of [visitor, ada.token]) await ask({ withdraw: body.id }, token);
    expect(await stored(body.id)).toBeDefined();
    await ask({ withdraw: body.id }, bea.token);
    expect(await stored(body.id)).toBeUndefined();

    const other = await ask({ mediaId: photo, wish: "hide" }, visitor);
    await db.query("update picture_requests set state = 'declined' where id = $1", [other.body.id]);
    expect((await ask({ withdraw: other.body.id }, visitor)).status).toBe(202);
    expect(await stored(other.body.id)).toBeDefined();
    expect((await ask({ withdraw: randomUUID() }, visitor)).status).toBe(202);
  });

  test("Spec §7: is refused about what the caller cannot see, in the same words as about nothing", async () => {
    const hidden = await itemOf("image");
    await db.query("update media set moderation = 'hidden' where id = $1", [hidden]);
    const stranger = await signUp(server, "Carl");
    const answers = await Promise.all([
      ask({ mediaId: hidden, wish: "hide" }, visitor),
      ask({ mediaId: hidden, wish: "hide" }, bea.token),
      ask({ mediaId: photo, wish: "hide" }),
      ask({ mediaId: photo, wish: "hide" }, stranger.token),
      ask({ mediaId: randomUUID(), wish: "hide" }, visitor),
    ]);
    for (const { status, body } of answers) expect([status, body.code]).toEqual([404, "not_found"]);
  });

  test("asks that a video is hidden, and never that it is blurred", async () => {
    expect((await ask({ mediaId: video, wish: "blur" }, visitor)).status).toBe(400);
    expect((await ask({ mediaId: video, wish: "hide" }, visitor)).status).toBe(202);
  });

  test.each([
    [{ wish: "blur" }],
    [{ mediaId: "x", wish: "blur" }],
    [{ mediaId: randomUUID(), wish: "delete" }],
    [{ mediaId: randomUUID(), wish: "blur", words: "x".repeat(501) }],
    [{ mediaId: randomUUID(), wish: "blur", name: "x".repeat(101) }],
    [{ mediaId: randomUUID(), wish: "blur", email: "nobody" }],
    [{ withdraw: "x" }],
    [{ withdraw: null }],
    [[]],
  ])("is refused if it is malformed: %j", async (body) => {
    expect((await ask(body, visitor)).status).toBe(400);
  });

  test("is sent at most ten times an hour by one person", async () => {
    const dan = await signUp(server, "Dan");
    const statuses: number[] = [];
    for (let n = 0; n < 11; n++) statuses.push((await ask({ mediaId: photo, wish: "hide" }, dan.token)).status);
    expect(statuses.filter((status) => status === 404)).toHaveLength(10);
    expect(statuses.at(-1)).toBe(429);
  });
});
