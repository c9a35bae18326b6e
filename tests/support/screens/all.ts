import { accountScreens } from "./account.ts";
import { deskScreens } from "./desk.ts";
import { deskOrderScreens } from "./desk-orders.ts";
import { letterScreens } from "./letters.ts";
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
  letterScreens,
  publicScreens,
  deskOrderScreens,
  deskScreens,
];
