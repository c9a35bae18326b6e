import { expectAccessible } from "../../support/accessibility.ts";
import { expect, PHONE, test } from "../../support/e2e.ts";
import { addFilm } from "../../support/films.ts";
import { memoryWith } from "../../support/gallery.ts";
import { invitationTo } from "../../support/inviting.ts";
import { photoPaths } from "../../support/photos.ts";
import { textsIn } from "../../support/texts.ts";

const say = textsIn("it");
const TABLET = { viewport: { width: 768, height: 1024 }, hasTouch: true, language: "it" as const };

test("Spec §4: an aunt of eighty opens a memory by her invitation email without a PIN or an account, reads, watches, lights a candle, comments, and comes back", async ({
  visit,
  person,
  server,
  expectedErrors,
}) => {
  // The email of an accepted invitation, before its reader signs in, and a picture that its page still requests then.
  expectedErrors.push(/open-share.*status of 401/, /render\/image.*status of 404/);
  const ada = await person("Ada Rossi");
  const memory = await memoryWith(ada, await photoPaths("canon.jpg"), {
    person_name: "Nonna Maria",
    description: `<p>${"Conosceva ogni albero per nome. ".repeat(12)}</p>`,
  });
  const link = await ada.client.from("share_links").select("id").eq("memory_id", memory.id).single().throwOnError();
  await ada.client.functions.invoke("share-pin", { body: { linkId: link.data.id, pin: "0417" } });
  await addFilm(ada, memory.id);

  // The niece sends the email from her phone.
  const niece = await visit({ ...PHONE, as: ada, language: "it" });
  const aunt = `aunt.${crypto.randomUUID().slice(0, 8)}@example.com`;
  const cousin = `cousin.${crypto.randomUUID().slice(0, 8)}@example.com`;
  await niece.goto(`/memory/${memory.id}`);
  await niece.getByRole("button", { name: say("memories:page.more"), exact: true }).click();
  await niece.getByRole("button", { name: say("people:open"), exact: true }).click();
  await niece.getByRole("radio", { name: say("people:roles.contributor") }).check();
  for (const email of [aunt, cousin]) {
    await niece.getByLabel(say("people:invite.email")).fill(email);
    await niece.getByRole("button", { name: say("people:invite.submit") }).click();
    await expect(niece.getByRole("button", { name: say("people:invitations.menu", { email }) })).toBeVisible();
  }

  // It opens at once, and its key is in no URL that anybody else reads.
  const letter = await invitationTo(server, aunt);
  expect(letter.text).toContain(say("people:letter.memoryOpen"));
  const requests: string[] = [];
  const tablet = await visit(TABLET);
  const cdp = await tablet.context().newCDPSession(tablet);
  await cdp.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
  tablet.on("request", (request) => requests.push(`${request.url()} ${request.headers().referer ?? ""}`));
  await tablet.goto(letter.shared);
  const title = tablet.getByRole("heading", { level: 1, name: "Nonna Maria" });
  await expect(title).toBeVisible();
  expect(new URL(letter.shared).hash).toMatch(/^#invitation=[0-9a-f]{64}$/);
  expect(new URL(tablet.url()).hash).toBe("");
  const token = letter.shared.split("#invitation=")[1] ?? "";
  expect(requests.filter((request) => request.includes(token))).toEqual([]);
  await tablet.reload();
  await expect(title).toBeVisible();

  // She reads at twice the font size, without scrolling sideways.
  const story = tablet.getByText("Conosceva ogni albero");
  await expect(story).toBeVisible();
  expect(await story.evaluate((text) => Number.parseFloat(getComputedStyle(text).fontSize))).toBeGreaterThanOrEqual(32);
  const sideways = () => tablet.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(await sideways()).toBeLessThanOrEqual(0);
  await expectAccessible(tablet);

  // She plays the film, with its sound.
  await tablet
    .getByRole("navigation", { name: say("memories:sections.label") })
    .getByRole("link", { name: say("media:photos") })
    .tap();
  await tablet.getByRole("link", { name: /Video/ }).tap();
  const player = tablet.locator("video");
  await expect(player).toHaveAttribute("poster", /posters/);
  await player.evaluate((video: HTMLVideoElement) => video.play());
  await expect.poll(() => player.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThan(0.2);
  const sound = await player.evaluate((video: HTMLVideoElement) => ({
    muted: video.muted,
    bytes: Reflect.get(video, "webkitAudioDecodedByteCount") as number,
  }));
  expect(sound).toEqual({ muted: false, bytes: expect.any(Number) });
  expect(sound.bytes).toBeGreaterThan(0);
  await tablet.getByRole("button", { name: say("media:lightbox.close"), exact: true }).tap();
  await expect(player).toHaveCount(0);

  // One press lights the candle. It is remembered while she enters her name.
  await tablet.getByRole("button", { name: say("comments:candle.give") }).tap();
  await tablet.getByRole("dialog").getByLabel(say("guests:sign.name"), { exact: true }).fill("Zia Pina");
  await tablet
    .getByRole("dialog")
    .getByRole("button", { name: say("guests:sign.submit") })
    .tap();
  await expect(tablet.getByRole("button", { name: say("comments:candle.given") })).toBeVisible();
  await tablet.getByLabel(say("comments:write.label")).fill("Cantava sempre, anche in barca.");
  await tablet.getByRole("button", { name: say("comments:write.send"), exact: true }).tap();
  expect(await sideways()).toBeLessThanOrEqual(0);
  const said = (page: typeof tablet) => page.locator("[data-comment]", { hasText: "Cantava sempre" });
  await expect(said(tablet)).toContainText("Zia Pina");
  await niece.goto(`/memory/${memory.id}`);
  await expect(said(niece)).toContainText("Zia Pina");

  // A week later she opens the email again, and is the same Zia Pina.
  await tablet.close();
  const again = await tablet.context().newPage();
  await again.goto(letter.shared);
  await expect(said(again)).toContainText("Zia Pina");
  await expect(again.getByRole("button", { name: say("comments:candle.given") })).toBeVisible();

  // Her daughter adds the memory to an account. From then on the email opens it only there.
  const hers = await visit({ ...PHONE, language: "it" });
  const second = await invitationTo(server, cousin);
  await hers.goto(second.shared);
  const offer = hers.getByRole("complementary", { name: say("sharing:letter.title") });
  await offer.getByRole("link", { name: say("sharing:letter.keep") }).tap();
  await expect(hers.getByLabel(say("account:email"))).toHaveValue(cousin);
  await hers.getByLabel(say("account:fullName")).fill("Gina");
  await hers.getByLabel(say("account:password"), { exact: true }).fill("a chair in the garden");
  await hers.getByRole("button", { name: say("account:register.submit") }).tap();
  await expect(hers).toHaveURL(`${server.url}/memory/${memory.id}`);
  await expect(hers.getByRole("heading", { level: 1, name: "Nonna Maria" })).toBeVisible();
  const { data: people } = await ada.client.rpc("memory_people", { memory_id: memory.id }).throwOnError();
  expect(people).toContainEqual({ id: expect.any(String), name: "Gina", role: "contributor" });
  const elsewhere = await visit({ language: "it" });
  await elsewhere.goto(second.shared);
  await expect(elsewhere.getByRole("heading", { name: say("shareGate:open.accepted") })).toBeVisible();
  await elsewhere
    .getByRole("main")
    .getByRole("link", { name: say("shareEnd:invitationSignIn") })
    .click();
  await elsewhere.getByLabel(say("account:email")).fill(cousin);
  await elsewhere.getByLabel(say("account:password"), { exact: true }).fill("a chair in the garden");
  await elsewhere.getByRole("button", { name: say("account:login.submit") }).click();
  await expect(elsewhere.getByText(say("sharing:letter.accepted"))).toBeVisible();
});
