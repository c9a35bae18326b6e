import type { z } from "zod";
import { RequestError } from "../../shared/request-error.ts";

/** The request's JSON in the shape asked for; rejects with a 400 that names what is wrong. */
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
