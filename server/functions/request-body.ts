import type { z } from "zod";
import { RequestError } from "../../shared/request-error.ts";

/** Parses the request's JSON; rejects with a 400 that names the problem. */
export async function readBody<Shape extends z.ZodType>(request: Request, shape: Shape): Promise<z.infer<Shape>> {
  const json: unknown = await request.json().catch(() => {
    throw new RequestError("malformed", { message: "The request's body is not JSON." });
  });
  const parsed = shape.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join(".");
  throw new RequestError("malformed", {
    message: where ? `${where}: ${issue?.message}` : "The request's body has the wrong shape.",
  });
}

/** Whether the body is a form, which mail programs post, instead of JSON. */
export const isForm = (request: Request): boolean =>
  /^(application\/x-www-form-urlencoded|multipart\/form-data)/i.test(request.headers.get("content-type") ?? "");

/** The token of a mail program's one-click request (RFC 8058); refuses any other form. */
export async function oneClickToken(request: Request): Promise<string> {
  const form = await request.formData().catch(() => undefined);
  if (form?.get("List-Unsubscribe") !== "One-Click") {
    throw new RequestError("malformed");
  }
  return new URL(request.url).searchParams.get("token") ?? "";
}
