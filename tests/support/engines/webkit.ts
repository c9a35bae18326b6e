import { test as base, expect } from "../e2e.ts";
import { idOf, openWebKit, referenceTo, type WebKitSession } from "./driver.ts";
import { findInPage, type Wanted } from "./find.ts";
import { EnginePage, type Opening } from "./page.ts";

/** The protocol's codes of keys. */
const KEYS: Record<string, string> = { Escape: "\uE00C", Enter: "\uE007", Tab: "\uE004", ArrowRight: "\uE014" };

/** A page in WebKit; an element is its id in the protocol. */
class WebKitPage extends EnginePage<string> {
  constructor(
    readonly session: WebKitSession,
    readonly origin: string,
  ) {
    super();
  }

  goto = (path: string) => this.session.command("POST", "url", { url: new URL(path, this.origin).href });
  reload = () => this.session.command("POST", "refresh");
  path = async () => new URL(await this.session.command<string>("GET", "url")).pathname;
  run: WebKitSession["run"] = (...args) => this.session.run(...args);
  keys = (...keys: string[]) => {
    const strokes = keys.map((key) => KEYS[key] ?? key);
    const actions = strokes.flatMap((value) => ["keyDown", "keyUp"].map((type) => ({ type, value })));
    return this.session.command("POST", "actions", { actions: [{ type: "key", id: "keyboard", actions }] });
  };

  protected lookUp = async (wanted: Wanted) =>
    this.#script(`return (${findInPage})(arguments[0])`, wanted).then(idOf, (error: Error) => {
      // The page has removed it before the driver could give it an id.
      if (!error.message.includes("stale element reference")) throw error;
      return undefined;
    });
  protected scroll = (id: string) => this.#script("arguments[0].scrollIntoView({ block: 'center' })", referenceTo(id));
  protected click = async (id: string) => {
    // The driver scrolls only as far as needed, which may be under the page's fixed bars.
    await this.scroll(id);
    await this.session.command("POST", `element/${id}/click`);
  };
  protected write = async (id: string, text: string) => {
    await this.scroll(id);
    await this.session.command("POST", `element/${id}/clear`);
    await this.session.command("POST", `element/${id}/value`, { text });
  };
  protected give = (id: string, files: string[]) =>
    this.session.command("POST", `element/${id}/value`, { text: files.join("\n") });

  #script = (script: string, ...args: unknown[]) => this.session.command("POST", "execute/sync", { script, args });
}

/** Playwright's `test` with pages in WebKit. An error in one fails the test. */
export const test = base.extend<{ open: (opening?: Opening) => Promise<EnginePage> }>({
  open: async ({ server, expectedErrors }, provide, info) => {
    const pages: WebKitPage[] = [];
    await provide(async (opening) => {
      const page = new WebKitPage(await openWebKit(opening), server.url);
      pages.push(page);
      return page;
    });
    for (const [index, { session }] of pages.entries()) {
      if (info.status !== info.expectedStatus) {
        const picture = await session.command<string>("GET", "screenshot").catch(() => "");
        await info.attach(`webkit-${index}`, { body: Buffer.from(picture, "base64"), contentType: "image/png" });
      }
      await session.close();
    }
    const errors = pages.flatMap(({ session }) => session.errors);
    expect(
      errors.filter((error) => !expectedErrors.some((pattern) => pattern.test(error))),
      "errors inside the page",
    ).toEqual([]);
  },
});
