/**
 * Returns the name of an account's picture in the bucket `avatars`, by the rule of `private.picture_name`. It does not
 * reveal the account's id, so visitors of a link may know it.
 */
export async function pictureName(accountId: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(accountId));
  const hex = [...new Uint8Array(digest, 0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
