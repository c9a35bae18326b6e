import type { Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import sharp from "sharp";
import { pictureName } from "../../web/data/picture-name.ts";
import { expect, test } from "../support/e2e.ts";
import { newestMail, newestText } from "../support/mail-links.ts";
import { newRow } from "../support/sharing.ts";
import { textsIn } from "../support/texts.ts";

const say = textsIn("en");
/** The link to a group of the profile's sections. */
const group = (page: Page, id: string) => page.getByRole("link", { name: say(`profile:groups.${id}`), exact: true });
const change = (label: string) => `${say("profile:change")}: ${label}`;

test("Spec §8: a person changes their name", async ({ visit, person }) => {
  const ada = await person("Ada Rossi");
  const page = await visit({ as: ada });
  await page.goto("/");
  await page.getByRole("link", { name: say("layout:profile") }).click();
  await expect(page.getByRole("heading", { level: 1, name: say("profile:title") })).toBeVisible();
  await page.getByRole("button", { name: change(say("account:fullName")) }).click();
  await page.getByLabel(say("account:fullName"), { exact: true }).fill("Ada Bellini");
  // Each group of settings has an address. What is being typed outlives a look at another.
  await group(page, "sign-in").focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/profile#sign-in");
  await expect(page.getByText(say("profile:devices.here"), { exact: true })).toBeVisible();
  await expect(page.getByLabel(say("account:fullName"), { exact: true })).toBeHidden();
  await page.goBack();
  await expect(page.getByLabel(say("account:fullName"), { exact: true })).toHaveValue("Ada Bellini");
  await page.getByRole("button", { name: say("profile:save") }).click();
  await expect(page.getByText(say("profile:name.saved"), { exact: true })).toBeVisible();
  await expect(page.getByText("Ada Bellini")).toBeVisible();
  await page.reload();
  await expect(page.getByText("Ada Bellini")).toBeVisible();
});

test("a profile picture is cropped, replaced, removed, restored by undo, and shown beside a comment", async ({
  visit,
  person,
}) => {
  const ada = await person("Ada Lovelace");
  const memory = await newRow(ada.client, "memories", { person_name: "Rosa" });
  await ada.client.from("comments").insert({ memory_id: memory.id, body: "She sang" }).throwOnError();
  const page = await visit({ as: ada });
  await page.goto("/profile");
  const main = page.getByRole("main");
  const pictures = main.locator("img[src*='/avatars/']");
  const save = async (background: string) => {
    // The left half has one colour, the right half another. The picture is cropped to its right end, by keyboard.
    const half = await sharp({ create: { width: 100, height: 100, channels: 3, background } })
      .png()
      .toBuffer();
    const buffer = await sharp({ create: { width: 400, height: 100, channels: 3, background: "black" } })
      .composite([{ input: half, left: 300, top: 0 }])
      .jpeg()
      .toBuffer();
    await main.getByLabel("Choose a picture").setInputFiles({ name: "me.jpg", mimeType: "image/jpeg", buffer });
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("group", { name: "Move the picture with the arrow keys" }).focus();
    for (let pressed = 0; pressed < 35; pressed += 1) await page.keyboard.press("ArrowLeft");
    await dialog.getByRole("button", { name: "Save the picture" }).click();
    await expect(dialog).toBeHidden();
  };
  /** The colour in the middle of the stored picture; null without a picture. */
  const storedColour = async () => {
    const { data } = await ada.client.storage.from("avatars").download(await pictureName(ada.id));
    if (!data) return null;
    const picture = sharp(Buffer.from(await data.arrayBuffer()));
    const { width, height, exif } = await picture.metadata();
    expect([width, height, exif]).toEqual([512, 512, undefined]);
    const { dominant } = await picture.stats();
    return dominant.r > dominant.b ? "red" : "blue";
  };

  await save("red");
  await expect(pictures).toHaveCount(1);
  expect(await storedColour()).toBe("red");
  await save("blue");
  expect(await storedColour()).toBe("blue");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(storedColour).toBe("red");
  // An undo never puts an older picture over one from another window.
  await save("blue");
  const bucket = ada.client.storage.from("avatars");
  const red = await sharp({ create: { width: 512, height: 512, channels: 3, background: "red" } })
    .jpeg()
    .toBuffer();
  await bucket.upload(await pictureName(ada.id), red, { upsert: true, contentType: "image/jpeg" });
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Not undone", { exact: true })).toBeVisible();
  expect(await storedColour()).toBe("red");
  await main.getByRole("button", { name: "Remove: Picture" }).click();
  await expect(pictures).toHaveCount(0);
  expect(await storedColour()).toBe(null);
  await expect(page.getByText("Your picture is removed", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(pictures).toHaveCount(1);
  await page.goto(`/memory/${memory.id}`);
  await expect(page.locator("[data-comment] img[src*='/avatars/']")).toBeVisible();
});

test("Spec §8: a person whose session has ended reads the reason on the sign-in page, where only device settings stay stored, and signs in again", async ({
  visit,
  person,
  expectedErrors,
}) => {
  // Other requests of the page are refused meanwhile too, and so is a renewed token.
  expectedErrors.push(/status of 40[013]/);
  const ada = await person("Ada");
  const page = await visit({ as: ada });
  // Theme, language and consent belong to the device: they outlive the session.
  await page.goto("/profile?lng=en");
  await page.evaluate(() => localStorage.setItem("theme", "dark"));
  await page.getByRole("button", { name: change(say("account:fullName")) }).click();
  await ada.client.auth.signOut({ scope: "global" });
  await page.getByLabel(say("account:fullName"), { exact: true }).fill("Ada Bellini");
  await page.getByRole("button", { name: say("profile:save") }).click();
  await expect(page.getByText(say("profile:failure.sessionExpired"), { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);
  await expect
    .poll(() => page.evaluate(() => ({ ...localStorage })))
    .toEqual({ cookie_consent: "declined", i18nextLng: "en", theme: "dark" });
  await page.getByLabel(say("account:email")).fill(ada.email);
  await page.getByLabel(say("account:password"), { exact: true }).fill(ada.password);
  await page.getByRole("button", { name: say("account:login.submit"), exact: true }).click();
  await expect(page).not.toHaveURL(/login/);
  await page.goto("/profile");
  await expect(page.getByRole("button", { name: change(say("account:fullName")) })).toBeVisible();
});

test("Spec §8: a person whose account cannot be loaded reads the reason on the profile, and can try again", async ({
  visit,
  person,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 500/);
  const page = await visit({ as: await person("Ada") });
  await page.route("**/auth/v1/user", (route) => route.fulfill({ status: 500, json: { message: "down" } }));
  await page.goto("/profile");
  await expect(page.getByRole("alert")).toContainText("Failed to get updated user data");
  await page.unrouteAll();
  await page.getByRole("button", { name: say("common:problem.retry") }).click();
  await expect(page.getByRole("button", { name: change(say("account:fullName")) })).toBeVisible();
});

test("a second factor is set up, required at the next sign-in, and removed", async ({
  visit,
  person,
  expectedErrors,
}) => {
  // A wrong code; and after the right one, requests with the old token until the new one arrives.
  expectedErrors.push(/factors\/.*\/verify.*status of 422/, /rpc\/storage_(use|stats).*status of 403/);
  const ada = await person("Ada");
  const page = await visit({ as: ada, permissions: ["clipboard-read", "clipboard-write"] });
  await page.goto("/profile#factors");
  await page.getByRole("button", { name: say("profile:factors.addTotp") }).click();
  const picture = page.getByRole("img", { name: say("profile:factors.picture") });
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(20);
  const key = ((await page.locator("[data-key]").textContent()) ?? "").replaceAll(/\s/g, "");
  // On the same phone, nothing can be scanned: the key is copied, or its link opens the app.
  await page.getByRole("button", { name: say("profile:factors.copy") }).click();
  await expect(page.getByRole("button", { name: say("profile:factors.copied") })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
  const link = page.getByRole("link", { name: say("profile:factors.openApp") });
  await expect(link).toHaveAttribute("href", new RegExp(`^otpauth://totp/.*secret=${key}`));
  const app = new TOTP({ secret: Secret.fromBase32(key) });
  await page.getByLabel(say("account:code")).fill(app.generate());
  await page.getByRole("button", { name: say("profile:factors.confirm") }).click();
  await expect(page.getByText(say("profile:factors.added"), { exact: true })).toBeVisible();

  const elsewhere = await visit();
  await elsewhere.goto("/login");
  await elsewhere.getByLabel(say("account:email")).fill(ada.email);
  await elsewhere.getByLabel(say("account:password"), { exact: true }).fill(ada.password);
  await elsewhere.getByRole("button", { name: say("account:login.submit") }).click();
  await expect(elsewhere.getByRole("heading", { name: say("account:factor.title") })).toBeVisible();
  // The password alone opens nothing, not even at another URL.
  await elsewhere.goto("/memory/new");
  await expect(elsewhere.getByRole("heading", { name: say("layout:fallback.title") })).toBeVisible();
  await elsewhere
    .getByRole("main")
    .getByRole("link", { name: say("layout:fallback.signIn") })
    .click();
  await elsewhere.getByLabel(say("account:code")).fill(app.generate() === "000000" ? "111111" : "000000");
  await elsewhere.getByRole("button", { name: say("account:factor.submit"), exact: true }).click();
  await expect(elsewhere.getByText(say("account:refusal.wrongCode"))).toBeVisible();
  // A code is valid once. The next one begins in half a minute, and the server accepts one step ahead.
  await elsewhere.getByLabel(say("account:code")).fill(app.generate({ timestamp: Date.now() + 30_000 }));
  await elsewhere.getByRole("button", { name: say("account:factor.submit"), exact: true }).click();
  await expect(elsewhere).toHaveURL(/\/memory\/new$/);

  const name = say("profile:factors.totp");
  await page.getByRole("button", { name: say("profile:factors.removeOne", { name }) }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: say("profile:remove") })
    .click();
  await expect(page.getByText(say("profile:factors.removed"), { exact: true })).toBeVisible();
  await expect(page.getByText(say("profile:factors.none"))).toBeVisible();
});

test("a new email address takes effect once both addresses have confirmed it", async ({ visit, person, server }) => {
  const ada = await person("Ada");
  const newEmail = `new.${ada.email}`;
  const page = await visit({ as: ada });
  await page.goto("/profile");
  await page.getByRole("button", { name: `${say("profile:change")}: ${say("account:email")}` }).click();
  await page.getByLabel(say("profile:email.new")).fill(newEmail);
  await page.getByRole("button", { name: say("profile:email.submit") }).click();
  await expect(page.getByText(say("profile:email.pending", { email: newEmail }))).toBeVisible();

  const tab = await page.context().newPage();
  const confirm = async (address: string) => {
    await tab.goto((await newestMail(server, address, /verify/)).link);
    await tab.getByRole("button", { name: say("account:mailedLink.email_change.action") }).click();
  };
  await confirm(ada.email);
  await expect(tab.getByRole("heading", { name: say("account:callback.half.title") })).toBeVisible();
  await confirm(newEmail);
  await expect(tab.getByText(say("account:callback.done.email"), { exact: true })).toBeVisible();
  await expect(tab.getByText(newEmail).first()).toBeVisible();
  // Still one device: the earlier session has ended.
  await group(tab, "sign-in").click();
  await expect(tab.getByText(say("profile:devices.here"), { exact: true })).toBeVisible();
});

test("a telephone number is saved once its texted code is entered", async ({
  visit,
  person,
  server,
  expectedErrors,
}) => {
  expectedErrors.push(/verify.*status of 403/);
  const page = await visit({ as: await person("Ada") });
  const number = `4477009${String(Date.now()).slice(-5)}`;
  await page.goto("/profile");
  await page.getByRole("button", { name: `${say("profile:add")}: ${say("profile:phone.label")}` }).click();
  await page.getByLabel(say("profile:phone.new")).fill("0347");
  await page.getByRole("button", { name: say("profile:phone.submit") }).click();
  await expect(page.getByText(say("account:problem.invalidPhone"))).toBeVisible();
  await page.getByLabel(say("profile:phone.new")).fill(`+${number}`);
  await page.getByRole("button", { name: say("profile:phone.submit") }).click();
  await page.getByLabel(say("account:code")).fill(await newestText(server, `+${number}`));
  await page.getByRole("button", { name: say("profile:phone.confirm") }).click();
  await expect(page.getByText(say("profile:phone.saved"), { exact: true })).toBeVisible();
  await expect(page.getByText(`+${number}`)).toBeVisible();
});

test("a new password signs the other devices out; one device can be signed out by itself", async ({
  visit,
  person,
  server,
}) => {
  const ada = await person("Ada");
  const page = await visit({ as: ada });
  const second = server.client();
  await second.auth.signInWithPassword(ada);
  const third = server.client();
  await third.auth.signInWithPassword(ada);
  await page.goto("/profile#devices");
  const end = page.getByRole("button", { name: say("profile:devices.endOne", { name: "" }) });
  await expect(end).toHaveCount(2);
  await end.first().click();
  await expect(page.getByText(say("profile:devices.ended"), { exact: true })).toBeVisible();
  await expect(end).toHaveCount(1);

  await group(page, "about-you").click();
  await page.getByRole("button", { name: `${say("profile:change")}: ${say("account:password")}` }).click();
  await page.getByLabel(say("account:newPassword.label")).fill("another chair in the shade");
  await page.getByRole("button", { name: say("profile:save") }).click();
  await expect(page.getByText(say("profile:password.saved"), { exact: true })).toBeVisible();
  await page.reload();
  await group(page, "sign-in").click();
  await expect(page.getByText(say("profile:devices.here"), { exact: true })).toBeVisible();
  await expect(end).toHaveCount(0);
});
