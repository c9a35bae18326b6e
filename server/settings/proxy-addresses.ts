import { isIP, isIPv4 } from "node:net";
import { z } from "zod";

/** Names of the web framework for ranges of addresses. */
const RANGES = ["loopback", "linklocal", "uniquelocal"];
/** The least number of bits that a range fixes. That of the largest private networks; more addresses are no proxies. */
const LEAST_BITS = { 4: 8, 6: 7 } as const;

/**
 * The addresses and ranges of trusted proxies, separated by commas. A range of everybody would let each visitor choose the address
 * by which they are counted; a word or a number of proxies names no address.
 */
export const proxyAddresses = z
  .string()
  .transform((list) => list.split(",").flatMap((part) => part.trim() || []))
  .refine(
    (parts) => parts.length > 0 && parts.every(isAddress),
    "must be addresses or ranges of proxies, as 10.0.0.2 or 10.0.0.0/24, with commas between them",
  )
  .refine(
    (parts) => !parts.every(isAddress) || parts.every(isNarrow),
    "names everybody, who could then claim any address",
  )
  .transform((parts) => parts.join(","));

const bitsOf = (address: string) => (isIPv4(address) ? 32 : 128);
/** The bits of a mask as 255.255.0.0. */
const bitsOfMask = (mask: string) =>
  mask
    .split(".")
    .map((part) => Number(part).toString(2).padStart(8, "0"))
    .join("");
const fixedBits = (mask: string) => (isIPv4(mask) ? bitsOfMask(mask).replaceAll("0", "").length : Number(mask));

function isAddress(part: string): boolean {
  if (RANGES.includes(part)) return true;
  const [address = "", mask, ...more] = part.split("/");
  // The framework takes 1 for an address, too.
  if (isIP(address) === 0 || more.length > 0) return false;
  if (mask === undefined) return true;
  if (isIPv4(mask)) return isIPv4(address) && /^1*0*$/.test(bitsOfMask(mask));
  return /^\d{1,3}$/.test(mask) && Number(mask) <= bitsOf(address);
}

function isNarrow(part: string): boolean {
  const [address = "", mask] = part.split("/");
  return mask === undefined || fixedBits(mask) >= LEAST_BITS[isIPv4(address) ? 4 : 6];
}
