import { readFileSync } from "node:fs";
import { accountScreens } from "./account.ts";
import { deskScreens } from "./desk.ts";
import { deskOrderScreens } from "./desk-orders.ts";
import { longWordScreens } from "./long-words.ts";
import { memberScreens } from "./member.ts";
import { memoryScreens } from "./memory.ts";
import { publicScreens } from "./public.ts";
import { purchaseScreens } from "./purchases.ts";
import type { ScreenArea } from "./screen.ts";
import { sharedScreens } from "./shared.ts";
import { visitorScreens } from "./visitor.ts";
import { wallScreens } from "./wall.ts";

/** Every screen with its states. A new route needs a state here. */
export const areas: ScreenArea[] = [
  memoryScreens,
  purchaseScreens,
  sharedScreens,
  memberScreens,
  longWordScreens,
  accountScreens,
  visitorScreens,
  wallScreens,
  publicScreens,
  deskOrderScreens,
  deskScreens,
];

/**
 * The paths in web/routes.tsx; one with an optional end counts as two. The file is parsed and not run, because it
 * imports modules that only the bundler understands.
 */
export function routePaths(): string[] {
  const source = readFileSync(new URL("../../../web/routes.tsx", import.meta.url), "utf8");
  return [...source.matchAll(/\bpath: "([^"]+)"/g)].flatMap(([, path = ""]) => {
    const [whole, before] = /^(.+)\/:\w+\?$/.exec(path) ?? [];
    return whole && before ? [before, whole.slice(0, -1)] : [path];
  });
}
