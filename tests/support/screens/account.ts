import { randomInt } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { newestMail, newestText } from "../mail-links.ts";
import type { Person } from "../people.ts";
import { photoPaths } from "../photos.ts";
import { codeOf, enrolApp } from "../second-factor.ts";
import { click, dialog, heading, type Say, type Setup, screenArea, text } from "./screen.ts";

async function prepare({ server, person }: Setup) {
  const [ada, app, phone] = await Promise.all([person("Ada"), person("App"), person("Phone")]);
  const { id: factorId, secret } = await enrolApp(app);
  await app.client.auth.mfa.challengeAndVerify({ factorId, code: codeOf(secret) });
  const number = `4477009${randomInt(10_000, 100_000)}`;
  const { data: factor, error } = await phone.client.auth.mfa.enroll({ factorType: "phone", phone: number });
  if (error) throw error;
  const { data: challenge } = await phone.client.auth.mfa.challenge({ factorId: factor.id });
  await phone.client.auth.mfa.verify({
    factorId: factor.id,
    challengeId: challenge?.id ?? "",
    code: await newestText(server, `+${number}`),
  });
  return { server, ada, app, phone, forgetful: await person("Forgetful") };
}

async function signIn(page: Page, say: Say, { email, password }: Person) {
  await page.getByLabel(say("account:email")).fill(email);
  await page.getByLabel(say("account:password"), { exact: true }).fill(password);
  await click(page, say("account:login.submit"));
}

async function askForPassword(page: Page, say: Say, { email }: Person) {
  await page.getByLabel(say("account:email")).fill(email);
  await click(page, say("account:forgotten.submit"));
  await heading("account:inbox.title")(page, say);
}

const factorPage = heading("account:factor.title");

export const accountScreens = screenArea("the screens of an account", prepare, [
  { route: "/login", state: "empty", path: "/login", enter: heading("account:login.title") },
  {
    route: "/login",
    state: "with required fields left empty",
    path: "/login",
    async enter(page, say) {
      await click(page, say("account:login.submit"));
      await expect(page.getByText(say("account:problem.required"))).toHaveCount(2);
    },
  },
  {
    route: "/login",
    state: "asking for a mailed link",
    path: "/login",
    async enter(page, say) {
      await click(page, say("account:link.offer"));
      await expect(page.getByRole("button", { name: say("account:link.submit") })).toBeVisible();
    },
  },
  {
    route: "/login",
    state: "asking for the code of an authenticator app",
    path: "/login",
    alone: true,
    async enter(page, say, { app }) {
      await signIn(page, say, app);
      await factorPage(page, say);
    },
  },
  {
    route: "/login",
    state: "asking for a texted code",
    path: "/login",
    alone: true,
    async enter(page, say, { phone }) {
      await signIn(page, say, phone);
      await factorPage(page, say);
      await text("account:factor.phone")(page, say);
    },
  },
  { route: "/register", state: "empty", path: "/register", enter: heading("account:register.title") },
  {
    route: "/forgotten-password",
    state: "empty",
    path: "/forgotten-password",
    enter: heading("account:forgotten.title"),
  },
  {
    route: "/forgotten-password",
    state: "email sent",
    path: "/forgotten-password",
    enter: (page, say, { forgetful }) => askForPassword(page, say, forgetful),
  },
  { route: "/new-password", state: "closed", path: "/new-password", enter: heading("account:newPassword.closedTitle") },
  {
    route: "/new-password",
    state: "open",
    path: "/forgotten-password",
    alone: true,
    async enter(page, say, { server, ada }) {
      await askForPassword(page, say, ada);
      await page.goto((await newestMail(server, ada.email, /verify/)).link);
      await heading("account:newPassword.title")(page, say);
    },
  },
  {
    route: "/auth/link",
    state: "a link that another browser requested",
    path: "/auth/link",
    async enter(page, say, { server, ada }) {
      const { data, error } = await server.service().auth.admin.generateLink({ type: "magiclink", email: ada.email });
      if (error) throw error;
      await page.goto(data.properties.action_link);
      await heading("account:mailedLink.magiclink.title")(page, say);
    },
  },
  {
    route: "/auth/link",
    state: "a link without its end",
    path: "/auth/link#type=magiclink",
    enter: heading("account:mailedLink.incomplete.title"),
  },
  {
    route: "/auth/callback",
    state: "a link that expired",
    path: "/auth/callback?for=link#error=access_denied&error_code=otp_expired",
    enter: heading("account:callback.expired.title"),
  },
  {
    route: "/profile",
    state: "as it opens",
    path: "/profile",
    as: ({ ada }) => ada,
    enter: heading("profile:preferences.title"),
  },
  {
    route: "/profile",
    state: "signing in",
    path: "/profile#sign-in",
    as: ({ ada }) => ada,
    enter: (page, say) => expect(page.getByText(say("profile:devices.here"), { exact: true })).toBeVisible(),
  },
  {
    route: "/profile",
    state: "emails",
    path: "/profile#emails",
    as: ({ ada }) => ada,
    enter: text("notices:settings.mail.usual"),
  },
  {
    route: "/profile",
    state: "changing the email address",
    path: "/profile",
    as: ({ ada }) => ada,
    async enter(page, say, { ada }) {
      await click(page, `${say("profile:change")}: ${say("account:email")}`);
      await page.getByLabel(say("profile:email.new")).fill(`new.${ada.email}`);
      await click(page, say("profile:email.submit"));
      await text("profile:email.pending", { email: `new.${ada.email}` })(page, say);
    },
  },
  {
    route: "/profile",
    state: "choosing what is shown of a picture",
    path: "/profile",
    as: ({ ada }) => ada,
    async enter(page, say) {
      const [photo = ""] = await photoPaths("gps-nikon.jpg");
      await page.getByLabel(say("profile:picture.choose")).setInputFiles(photo);
      await expect(page.getByRole("button", { name: say("profile:picture.save") })).toBeVisible();
    },
  },
  {
    route: "/profile",
    state: "adding an authenticator app",
    path: "/profile#factors",
    as: ({ ada }) => ada,
    async enter(page, say) {
      await click(page, say("profile:factors.addTotp"));
      await expect(page.getByRole("img", { name: say("profile:factors.picture") })).toBeVisible();
    },
  },
  {
    route: "/profile",
    state: "adding a telephone",
    path: "/profile#factors",
    as: ({ ada }) => ada,
    enter: dialog("profile:factors.addPhone"),
  },
  {
    route: "/profile",
    state: "removing an authenticator app",
    path: "/profile#factors",
    as: ({ app }) => app,
    async enter(page, say) {
      const remove = say("profile:factors.removeOne", { name: "" }).trim();
      await page.getByRole("button", { name: remove }).first().click();
      await heading("profile:factors.removeTitle")(page, say);
    },
  },
  {
    route: "/profile",
    state: "downloading the account",
    path: "/profile#data",
    as: ({ ada }) => ada,
    async enter(page, say) {
      await click(page, say("profile:data.account"));
      await expect(page.getByRole("link", { name: say("downloads:download"), exact: true })).toBeVisible();
    },
  },
  {
    route: "/profile",
    state: "deleting the account",
    path: "/profile#delete",
    as: ({ ada }) => ada,
    enter: dialog("profile:delete.open"),
  },
]);
