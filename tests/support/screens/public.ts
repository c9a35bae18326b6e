import { heading, screenArea } from "./screen.ts";

export const publicScreens = screenArea("pages for everybody", async () => undefined, [
  { route: "/about", state: "as a visitor", path: "/about", enter: heading("about:title") },
  { route: "/get-started", state: "as a visitor", path: "/get-started", enter: heading("getStarted:title") },
  { route: "/contact-us", state: "empty", path: "/contact-us", enter: heading("contact:title") },
  {
    route: "/contact-us",
    state: "sent without a word",
    path: "/contact-us",
    enter: async (page, say) => {
      // first-page.test.ts tests presses before the app has loaded.
      await page.locator("#root:not([data-prerendered])").waitFor();
      await page.getByRole("button", { name: say("contact:submit") }).click();
      await page.getByText(say("contact:errors.name")).waitFor();
    },
  },
  {
    route: "/help",
    state: "as a visitor",
    path: "/help",
    enter: async (page, say) => {
      // The form loads only once it is near the window.
      await page.getByRole("heading", { name: say("help:write.title") }).scrollIntoViewIfNeeded();
      await page.getByLabel(say("contact:message")).waitFor();
      await page.evaluate(() => scrollTo(0, 0));
    },
  },
  {
    route: "/about",
    state: "with help beside it",
    path: "/about",
    alone: true,
    enter: async (page, say) => {
      await page.getByRole("button", { name: say("layout:help"), exact: true }).click();
      await page.getByRole("button", { name: say("help:write.open") }).click();
      await page.getByLabel(say("contact:message")).waitFor();
    },
  },
  { route: "/privacy", state: "as a visitor", path: "/privacy", enter: heading("legal:privacy") },
  { route: "/terms", state: "as a visitor", path: "/terms", enter: heading("legal:terms") },
  { route: "/blog", state: "with posts", path: "/blog", enter: heading("blog:title") },
  {
    route: "/blog/:id",
    state: "a post",
    path: "/blog/a-box-of-slides",
    enter: heading("blog:related"),
  },
  { route: "/blog/:id", state: "unknown", path: "/blog/nothing-here", enter: heading("blog:missing") },
]);
