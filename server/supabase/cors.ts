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
  // Browsers may cache it for a day; some use a shorter time.
  maxAge: 86_400,
  // A plain OPTIONS asks about the service, so it is no error.
  strictPreflight: false,
};
