import type { z } from "zod";
import { badRequest } from "./storage-error.ts";

/** A request's body or query in the shape it must have, or a refusal that names what is wrong with it. */
export function shapeOf<Shape extends z.ZodType>(shape: Shape, given: unknown): z.infer<Shape> {
  const parsed = shape.safeParse(given ?? {});
  if (parsed.success) return parsed.data;
  throw badRequest(
    parsed.error.issues.map(({ path, message }) => `${path.join(".") || "body"}: ${message}`).join("; "),
  );
}
