import type { FastifyCorsOptions } from "@fastify/cors";

/**
 * Allows any origin and any header, as on the hosted platform. A request carries an explicit bearer token. Browsers send
 * no cookie without `Access-Control-Allow-Credentials`, so a page of another site cannot act in its visitor's name. `foreign-pages.ts` refuses what counts attempts.
 */
export const crossOrigin: FastifyCorsOptions = {
  origin: "*",
  methods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
  exposedHeaders: [
    "accept-ranges",
    "content-disposition",
    "content-length",
    "content-location",
    "content-range",
    "etag",
    "location",
    "preference-applied",
    "retry-after",
    "tus-extension",
    "tus-max-size",
    "tus-resumable",
    "tus-version",
    "upload-expires",
    "upload-length",
    "upload-metadata",
    "upload-offset",
    "x-supabase-api-version",
  ],
  // Browsers may cache a preflight for a day. Some use a shorter time.
  maxAge: 86_400,
  // A plain OPTIONS request asks about the service, so it is not an error.
  strictPreflight: false,
};
