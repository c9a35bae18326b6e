import type { FastifyCorsOptions } from "@fastify/cors";

/**
 * Any origin may call, with any header, as on the hosted platform: a call carries its bearer token by its own choice, and
 * never a cookie, so another site's page can do nothing here in its visitor's name.
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
  // Asking once a day is enough; browsers take less where they like.
  maxAge: 86_400,
  // A plain OPTIONS is a question about the service, not a fault.
  strictPreflight: false,
};
