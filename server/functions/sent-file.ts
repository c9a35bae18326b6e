import { attachment } from "../supabase/storage/send.ts";

/** The response with a file to save. */
export const sentFile = (type: string, name: string, bytes: Uint8Array): Response =>
  new Response(new Uint8Array(bytes), {
    headers: { "content-type": type, "content-disposition": attachment(name) },
  });
