import type { FastifyInstance, FastifyTypeProvider } from "fastify";
import type { z } from "zod";

/** What a route's schemas say of its request's parts, to the compiler. */
interface ZodSchemas extends FastifyTypeProvider {
  validator: this["schema"] extends z.ZodType ? z.output<this["schema"]> : unknown;
}

/**
 * The app for routes with zod schemas. An invalid part is refused with the result of `refusal`, or with the error that
 * the schema itself throws; a valid one is replaced by the schema's output.
 */
export const withSchemas = (app: FastifyInstance, refusal: (issues: z.core.$ZodIssue[], part: string) => Error) =>
  app
    .setValidatorCompiler<z.ZodType>(({ schema, httpPart = "body" }) => (given: unknown) => {
      try {
        // The framework gives null for a missing body.
        const { data, error } = schema.safeParse(given ?? undefined);
        return error ? { error: refusal(error.issues, httpPart) } : { value: data };
      } catch (error) {
        return { error: error as Error };
      }
    })
    .withTypeProvider<ZodSchemas>();

/** An app under {@link withSchemas}. */
export type Routes = ReturnType<typeof withSchemas>;
