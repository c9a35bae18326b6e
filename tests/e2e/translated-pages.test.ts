import { expect, test } from "../support/e2e.ts";
import { enterPin } from "../support/journey.ts";
import { newMemory, newRow, shareFirstLink } from "../support/sharing.ts";
import { textsIn } from "../support/texts.ts";
import { expectCurrentTexts, extendDocument, translateDocument } from "../support/translator.ts";

// `screens.test.ts` translates every screen once it is open. Here pages are translated from the first byte and then used.
const say = textsIn("en");
const oops = say("layout:oops.title");

test("a guest's translated page answers a wrong PIN, opens, and shows a comment that changes", {
  tag: "@sample",
}, async ({ visit, person, expectedErrors }) => {
  // A wrong PIN, and React's message that it has drawn the page anew, because it was changed before.
  expectedErrors.push(/status of 401/, /Minified React error #418/);
  const { client } = await person("Ada");
  const { id, share_id: shareId } = await newMemory(client, { person_name: "Rosa" });
  await shareFirstLink(client, id);
  const link = await client.from("share_links").select("id").eq("memory_id", id).single().throwOnError();
  await client.functions.invoke("share-pin", { body: { linkId: link.data.id, pin: "0417" } });
  const body = "Her recipe is at https://example.org/soup and everybody asks for it.";
  const comment = await newRow(client, "comments", { memory_id: id, body });
  const guest = await visit();
  await guest.addInitScript(translateDocument);
  await guest.addInitScript(`addEventListener("DOMContentLoaded", ${extendDocument})`);
  await guest.goto(`/shared/${shareId}`);
  for (const pin of ["1111", "2222"]) {
    await enterPin(guest, say, pin);
    await expect(guest.getByRole("alert")).toHaveText(/\S/);
    await expectCurrentTexts(guest);
  }
  await enterPin(guest, say, "0417");
  await expect(guest.getByRole("heading", { level: 1, name: "Rosa" })).toBeVisible();
  await expect(guest.getByText("everybody asks for it")).toBeVisible();
  await client.from("comments").update({ body: "Her recipe is lost." }).eq("id", comment.id).throwOnError();
  await expect(guest.getByText("Her recipe is lost.")).toBeVisible();
  await expectCurrentTexts(guest);
  await expect(guest.getByText(oops)).toHaveCount(0);
});
