/** Words of letters, marks, apostrophes and hyphens; a full stop only where an initial or a title ends. */
const NAME = /^[\p{L}\p{M}][\p{L}\p{M}'’-]*\.?(?: [\p{L}\p{M}][\p{L}\p{M}'’-]*\.?){0,5}$/u;

/**
 * The name by which a letter may greet its reader; empty where there is none. Anybody can sign up with somebody else's
 * address, so what stands in place of a name must not become a message of theirs: no links, numbers or sentences.
 */
export function greetingName(fullName: unknown): string {
  if (typeof fullName !== "string") return "";
  const name = fullName.trim().replaceAll(/\s+/g, " ");
  return name.length <= 60 && NAME.test(name) ? name : "";
}
