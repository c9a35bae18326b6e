import { paths } from "../paths.ts";

export const visitorLinks = [
  { text: "login", to: paths.login(), looks: "plain" },
  { text: "startFree", to: paths.register(), looks: "primary" },
] as const;

/** The links of signed-in people (Spec §2: Create Memory is only in the menu of small screens). */
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
