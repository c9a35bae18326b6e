import { paths } from "../paths.ts";

/** The links a visitor is offered, in their order. A screen that comes to be adds its line. */
export const visitorLinks = [
  { text: "login", to: paths.login(), looks: "plain" },
  { text: "startFree", to: paths.register(), looks: "primary" },
] as const;

/** The links of a signed-in person's menu on small screens (Spec §2: Create Memory stands only there). */
export const memberMenuLinks = [
  { text: "memories", to: paths.start() },
  { text: "createMemory", to: paths.newMemory() },
] as const;
