import type { FastifyInstance, FastifyTypeProvider } from "fastify";
import type { z } from "zod";

/** The types of a request's parts according to the route's schemas. */
interface ZodSchemas extends FastifyTypeProvider {
  validator: this["schema"] extends z.ZodType ? z.output<this["schema"]> : unknown;
}

/** Adds zod schemas to the app. The schema's output replaces a valid part; `refusal` creates the error of another. */
export const withSchemas = (app: FastifyInstance, refusal: (issues: z.core.$ZodIssue[], part: string) => Error) =>
  app
    .setValidatorCompiler<z.ZodType>(({ schema, httpPart = "body" }) => (value: unknown) => {
      try {
        // Fastify passes null for a missing body.
        const { data, error } = schema.safeParse(value ?? undefined);
        return error ? { error: refusal(error.issues, httpPart) } : { value: data };
      } catch (error) {
        return { error: error as Error };
      }
    })
    .withTypeProvider<ZodSchemas>();

export type Routes = ReturnType<typeof withSchemas>;
