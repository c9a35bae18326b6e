import type { UnsupportedPart } from "../unsupported.ts";

const SIGNED_UPLOADS =
  "This server does not offer signed upload URLs. Upload with the person's own token, so that their right is checked.";

/** The parts of `storage/v1` that the product does not use. */
export const UNSUPPORTED: readonly UnsupportedPart[] = [
  { path: /^\/object\/upload\/sign(\/|$)/, methods: ["POST", "PUT"], message: SIGNED_UPLOADS },
  { path: /^\/upload\/resumable\/sign(\/|$)/, message: SIGNED_UPLOADS },
  {
    path: /^\/object\/list-v2(\/|$)/,
    methods: ["POST"],
    message: "This server does not offer listV2. POST /object/list lists objects.",
  },
  {
    path: /^\/(vector|iceberg)(\/|$)/,
    message: "This server stores files only. It does not offer vector and analytics buckets.",
  },
  { path: /^\/s3(\/|$)/, message: "This server does not offer the S3 protocol." },
  { path: /^\/cdn(\/|$)/, message: "This server has no cache of objects that could be emptied." },
];
