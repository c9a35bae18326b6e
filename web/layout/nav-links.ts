import { paths } from "../paths.ts";

export const visitorLinks = [
  { text: "login", to: paths.login(), looks: "plain" },
  { text: "startFree", to: paths.register(), looks: "primary" },
] as const;

/** Links of signed-in people. Create Memory is only in the menu of small screens (Spec §2). */
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
