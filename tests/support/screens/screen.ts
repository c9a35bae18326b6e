import { expect, type Page } from "@playwright/test";
import type { Person } from "../people.ts";
import type { ProductServer } from "../product-server.ts";
import type { textsIn } from "../texts.ts";

export type Say = ReturnType<typeof textsIn>;

/** The functions with which an area creates its people and rows. */
export interface Setup {
  server: ProductServer;
  person: (name?: string, options?: { plan?: string }) => Promise<Person>;
}

/** A state of a screen. `Data` is the result of its area's setup. */
interface ScreenState<Data> {
  /** The path in shared/pages.ts. */
  route: string;
  /** The state's name in failure messages. */
  state: string;
  path: string | ((data: Data) => string);
  /** Who opens the path; a visitor if absent. */
  as?: (data: Data) => Person;
  /** Enters the state from the opened path, and waits until it is visible. */
  enter: (page: Page, say: Say, data: Data) => Promise<unknown>;
  /** Whether the consent question is unanswered. */
  unanswered?: boolean;
  /** Whether the state needs its own browser context, because it leaves e.g. a session behind. */
  alone?: boolean;
}

/** A state with the data of its area filled in. */
export interface OpenState extends Pick<ScreenState<never>, "route" | "state" | "unanswered" | "alone"> {
  path: string;
  as?: Person;
  enter: (page: Page, say: Say) => Promise<unknown>;
}

/** The screens of one area. Their states are visited in order. */
export interface ScreenArea {
  title: string;
  routes: string[];
  /** Creates the people and rows; resolves to the states. */
  open: (setup: Setup) => Promise<OpenState[]>;
}

export const screenArea = <Data>(
  title: string,
  prepare: (setup: Setup) => Promise<Data>,
  states: ScreenState<Data>[],
): ScreenArea => ({
  title,
  routes: [...new Set(states.map(({ route }) => route))],
  async open(setup) {
    const data = await prepare(setup);
    return states.map(({ path, as, enter, ...state }) => ({
      ...state,
      path: typeof path === "string" ? path : path(data),
      as: as?.(data),
      enter: (page, say) => enter(page, say, data),
    }));
  },
});

/** Waits for a heading with this text. */
export const heading = (key: string, values?: Record<string, unknown>) => (page: Page, say: Say) =>
  expect(page.getByRole("heading", { name: say(key, values) }).first()).toBeVisible();

/** Waits for this text. */
export const text = (key: string, values?: Record<string, unknown>) => (page: Page, say: Say) =>
  expect(page.getByText(say(key, values)).first()).toBeVisible();

/** Clicks the button with exactly this name. */
export const click = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).first().click();

/** Clicks the button with this name and waits for the heading of the dialog that it opens. */
export const dialog = (button: string) => async (page: Page, say: Say) => {
  await click(page, say(button));
  await expect(page.getByRole("dialog").getByRole("heading").first()).toBeVisible();
};
