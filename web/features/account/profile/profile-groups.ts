/** The profile's parts, one at a time on its page, with the ids of their sections. Both are hashes of its address. */
export const PROFILE_GROUPS = [
  { id: "about-you", sections: ["you", "preferences"] },
  { id: "sign-in", sections: ["factors", "waysIn", "devices"] },
  { id: "emails", sections: ["notices", "wishes"] },
  { id: "purchases", sections: ["bought"] },
  { id: "your-data", sections: ["data", "copies", "delete"] },
] as const;

export type ProfileGroup = (typeof PROFILE_GROUPS)[number]["id"];

/** The group of the address's hash, which names it or one of its sections; otherwise the first. */
export function groupOf(hash: string): ProfileGroup {
  const name = hash.slice(1);
  const isNamed = ({ id, sections }: (typeof PROFILE_GROUPS)[number]) =>
    id === name || (sections as readonly string[]).includes(name);
  return (PROFILE_GROUPS.find(isNamed) ?? PROFILE_GROUPS[0]).id;
}
