import { expect, test } from "vitest";
import { hostileHtml } from "../support/hostile-html.ts";
import { signUp } from "../support/people.ts";
import { testServer } from "../support/server.ts";
import { newRow } from "../support/sharing.ts";

const server = await testServer();
const [ada, bob] = [await signUp(server, "Ada"), await signUp(server, "Bob")];
const memory = (await ada.client.from("memories").insert({ person_name: "Rosa" }).select("id").single()).data?.id;
await server.service().from("memory_members").insert({ memory_id: memory, user_id: bob.id, role: "contributor" });

test("hostile HTML in stories and descriptions is sanitised", async () => {
  const rows = hostileHtml.map((html, index) => ({
    memory_id: memory,
    title: `${index}`,
    body: `<p>Kept.</p>${html.replaceAll("\0", "")}`,
  }));
  const { data, error } = await bob.client.from("stories").insert(rows).select("title, body");
  expect(error).toBeNull();
  expect(data).toHaveLength(hostileHtml.length);
  for (const { title, body } of data ?? []) {
    const what = hostileHtml[Number(title)];
    expect(body.startsWith("<p>Kept.</p>"), what).toBe(true);
    expect(body, what).not.toMatch(
      /<(?!\/?(p|br|strong|em|h2|h3|ul|ol|li|blockquote|a|hr|figure|figcaption)\b)[a-z!/]/i,
    );
    expect(body, what).not.toMatch(/<[^>]*\s(?!href="(https:\/\/|mailto:)|rel=|start=|data-media=)[\w-]+\s*=/i);
  }
  const description = hostileHtml.join("").replaceAll("\0", "");
  const update = await ada.client
    .from("memories")
    .update({ description })
    .eq("id", memory)
    .select("description")
    .single();
  expect(update.error).toBeNull();
  expect(update.data?.description).not.toMatch(/<(script|img|svg|style|iframe|form)|onerror=(?!hit\(\)&gt;)/i);
});

test("Spec §3: a story is signed by the server; a chosen author and an empty story are refused", async () => {
  const story = { memory_id: memory, body: "<p>We swam.</p>" };
  const insert = await bob.client.from("stories").insert(story).select("id, user_id, moderation").single();
  expect(insert.data).toMatchObject({ user_id: bob.id, moderation: "shown" });
  const signed = ada.client.from("story_credits").select("name").eq("story_id", insert.data?.id);
  expect((await signed).data).toEqual([{ name: "Bob" }]);
  expect((await bob.client.from("stories").insert({ ...story, user_id: bob.id })).error?.code).toBe("42501");
  expect((await bob.client.from("stories").insert({ ...story, body: "<script>x</script>" })).error?.code).toBe("23514");
  expect((await server.client().from("stories").select("id")).data).toEqual([]);
});

test("an update of an older version changes no row", async () => {
  const data = await newRow(bob.client, "stories", { memory_id: memory, body: "<p>One.</p>" }, "id", "updated_at");
  const change = (body: string) =>
    bob.client.from("stories").update({ body }).eq("id", data.id).eq("updated_at", data.updated_at).select("body");
  expect((await change("<p>Two.</p>")).data).toEqual([{ body: "<p>Two.</p>" }]);
  expect((await change("<p>Three.</p>")).data).toEqual([]);
});

test("a person's data export contains their stories and no others", async () => {
  const { data } = await bob.client.functions.invoke("my-data");
  expect(data.stories.length).toBeGreaterThan(0);
  expect(data.stories.every((story: { user_id: string }) => story.user_id === bob.id)).toBe(true);
});
