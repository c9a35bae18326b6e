import type { Page } from "@playwright/test";
import { expect, test } from "../support/e2e.ts";
import { LONG } from "../support/long-tests.ts";
import { areas } from "../support/screens/all.ts";
import { sharedScreens } from "../support/screens/shared.ts";
import { textsIn } from "../support/texts.ts";
import { staleTexts, translateDocument } from "../support/translator.ts";

/** Switches the app's language on any screen, also behind an open dialog. Returns whether the screen has the choice. */
const switchLanguage = (page: Page, language: string) =>
  page.evaluate((language) => {
    const choice = document.querySelector<HTMLElement>(
      `input[type=radio][value=${language}], #root button[lang=${language}]`,
    );
    choice?.click();
    return choice !== null;
  }, language);

const expectCurrentTexts = (page: Page) =>
  expect.poll(() => staleTexts(page), `texts that stayed behind on ${page.url()}`).toEqual([]);

// A translated page is used up to each state, and then all its texts change at once.
// Long runs do so with every screen.
for (const { title, open } of LONG ? areas : [sharedScreens]) {
  test(`a browser that translates ${title} shows every change and breaks nothing`, async ({
    visit,
    server,
    person,
    expectedErrors,
  }) => {
    test.setTimeout(900_000);
    // A missing or wrong PIN, an unknown code or card, a closed link, and a page translated before it is hydrated.
    expectedErrors.push(/status of (40[0134]|410|429)/, /Minified React error #418/);
    const pages = new Map<string, Page>();
    const failures: string[] = [];
    for (const { route, state, path, enter, as, unanswered, alone } of await open({ server, person })) {
      const key = JSON.stringify([as?.id, unanswered]);
      const page = (!alone && pages.get(key)) || (await visit({ as, consent: unanswered ? null : "declined" }));
      if (alone || !pages.has(key)) await page.addInitScript(translateDocument);
      if (!alone) pages.set(key, page);
      page.setDefaultTimeout(20_000);
      const use = async () => {
        await page.goto(path);
        await enter(page, textsIn("en"));
        await expectCurrentTexts(page);
        if (await switchLanguage(page, "it")) {
          await expectCurrentTexts(page);
          await switchLanguage(page, "en");
          await expectCurrentTexts(page);
        }
        await expect(page.getByText(textsIn("en")("layout:oops.title"))).toHaveCount(0);
      };
      await use().catch((error: Error) => failures.push(`${route}, ${state}: ${error.message}`));
    }
    expect(failures).toEqual([]);
  });
}
