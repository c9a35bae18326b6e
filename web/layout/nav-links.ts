import { paths } from "../paths.ts";

/** The links a visitor is offered, in their order. A screen that comes to be adds its line. */
export const visitorLinks = [
  { text: "login", to: paths.login(), looks: "plain" },
  { text: "startFree", to: paths.register(), looks: "primary" },
] as const;

/** The links of a signed-in person, in their order (Spec §2: Create Memory is in the menu of small screens only). */
export const memberLinks: readonly {
  text: "memories" | "albums" | "createMemory" | "profile";
  to: string;
  menuOnly?: true;
}[] = [
  { text: "memories", to: paths.start() },
  { text: "albums", to: paths.albums() },
  { text: "createMemory", to: paths.newMemory(), menuOnly: true },
  { text: "profile", to: paths.profile() },
];
