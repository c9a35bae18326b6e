import { expect, test } from "../support/e2e.ts";
import { addPhoto } from "../support/gallery.ts";
import { photoPaths } from "../support/photos.ts";
import { newMemory } from "../support/sharing.ts";
import { textsIn } from "../support/texts.ts";

const say = textsIn("en");

test("what a person is writing stays open while others fill the memory, and while a later reading of it fails", async ({
  visit,
  person,
  server,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 500|Failed to/);
  const [ada, carla] = [await person("Ada"), await person("Carla")];
  const memory = await newMemory(ada.client, { person_name: "Rosa" });
  await server.change((db) =>
    db.query("insert into memory_members (memory_id, user_id, role) values ($1, $2, 'co-owner')", [
      memory.id,
      carla.id,
    ]),
  );
  const [forms, share] = [await visit({ as: ada }), await visit({ as: ada })];
  for (const page of [forms, share]) await page.goto(`/memory/${memory.id}`);

  await forms.getByRole("button", { name: say("memories:page.edit"), exact: true }).click();
  const name = forms.getByLabel(say("memories:fields.name"), { exact: true });
  await name.fill("Nonna Rosa");
  await forms.getByRole("button", { name: say("stories:read.first") }).click();
  const story = forms.locator(".ProseMirror");
  await story.click();
  await forms.keyboard.type("She sang.");
  await forms.getByRole("button", { name: say("stories:life.add") }).click();
  const moment = forms.getByLabel(say("stories:entry.what"), { exact: true });
  await moment.fill("School");
  const comment = forms.getByLabel(say("comments:write.label"));
  await comment.fill("Every summer.");

  await share.getByRole("button", { name: say("sharing:share"), exact: true }).click();
  await share.getByRole("button", { name: say("sharing:invite.title") }).click();
  const invited = share.getByLabel(say("people:invite.email"), { exact: true });
  await invited.fill("zia@example.com");

  const expectOpen = async () => {
    await expect(name).toHaveValue("Nonna Rosa");
    await expect(story).toHaveText("She sang.");
    await expect(moment).toHaveValue("School");
    await expect(comment).toHaveValue("Every summer.");
    await expect(invited).toHaveValue("zia@example.com");
  };

  // The first of everything arrives: the cover, a story, a moment, a comment.
  const add = (table: string, row: object) =>
    carla.client
      .from(table)
      .insert({ memory_id: memory.id, ...row })
      .throwOnError();
  const [path = ""] = await photoPaths("gps-nikon.jpg");
  await addPhoto(carla, memory.id, path);
  await add("stories", { body: "<p>She laughed.</p>" });
  await add("memory_entries", { title: "Wedding", on_date: "1951" });
  await add("comments", { body: "Always." });
  for (const page of [forms, share]) {
    for (const text of ["She laughed.", "Wedding", "Always."]) {
      await expect(page.getByText(text, { exact: true })).toBeAttached();
    }
    await expect(page.locator("[data-gallery] [data-photo]")).toHaveCount(1);
  }
  await expectOpen();

  // From now on, no reading of the memory succeeds.
  const failed = new Set<string>();
  for (const page of [forms, share]) {
    await page.route(/\/rest\/v1\//, (route, request) => {
      failed.add(new URL(request.url()).pathname.split("/").at(-1) ?? "");
      return route.fulfill({ status: 500, json: { message: "Internal error" } });
    });
  }
  await carla.client.from("memories").update({ passing_date: "2019" }).eq("id", memory.id).throwOnError();
  await add("stories", { body: "<p>She danced.</p>" });
  await add("memory_entries", { title: "Garden", on_date: "1960" });
  // A comment would arrive with its message, without a reading.
  const readings = ["memories", "stories", "memory_entries"];
  await expect.poll(() => readings.filter((table) => !failed.has(table))).toEqual([]);
  await expectOpen();
});
