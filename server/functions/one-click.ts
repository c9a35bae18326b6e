import { RequestError } from "../../shared/request-error.ts";

/** Whether a request is a form, as a mail program posts it, rather than JSON. */
export const isForm = (request: Request): boolean =>
  /^(application\/x-www-form-urlencoded|multipart\/form-data)/i.test(request.headers.get("content-type") ?? "");

/** The token in the address of a mail program's one click (RFC 8058); refuses any other form. */
export async function oneClickToken(request: Request): Promise<string> {
  const form = await request.formData().catch(() => undefined);
  if (form?.get("List-Unsubscribe") !== "One-Click") {
    throw new RequestError("malformed");
  }
  return new URL(request.url).searchParams.get("token") ?? "";
}
