/** The two colours of a sky; both are dark enough for white letters. */
export type AvatarSky = readonly [string, string];

/** Dawn, morning, noon, evening, dusk, night, rain and northern lights. */
export const AVATAR_SKIES: readonly AvatarSky[] = [
  ["#8a4b6b", "#a85238"],
  ["#1f6f8b", "#27766f"],
  ["#1d5f9e", "#28719c"],
  ["#7a3e7d", "#a34c58"],
  ["#3f3a7a", "#7a4a8a"],
  ["#16284a", "#2f4f80"],
  ["#41545f", "#566a74"],
  ["#1b6b4f", "#35755a"],
];

/**
 * Returns a person's avatar: the initials of the first and last name, and a sky. It depends only on the name, so it is
 * the same on every page and in every email.
 */
export function avatarOf(name: string): { initials: string; sky: AvatarSky } {
  const nameParts = name.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu) ?? [];
  const initials = [...new Set([nameParts[0], nameParts.at(-1)])].map((word = "") => [...word][0] ?? "").join("");
  const sum = [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973, 7);
  return { initials: initials.toUpperCase(), sky: AVATAR_SKIES[sum % AVATAR_SKIES.length] ?? ["#16284a", "#2f4f80"] };
}
