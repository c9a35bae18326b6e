import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { pictureRequestsQuery, usePictureRequestsLive } from "../../../data/picture-requests.queries.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { MediaUrlCacheProvider, useNewMediaUrlCache } from "../../../media/use-media-urls.ts";
import { Problem } from "../../../ui/Problem.tsx";
import { RequestItem } from "./RequestItem.tsx";

/** Renders the open requests of people in pictures, with what managers can do. Nothing without any. */
export default function RequestList({ client, memoryId }: { client: SupabaseClient; memoryId: string }) {
  const { t } = useTranslation("notMe");
  const requests = useQuery(pictureRequestsQuery(client, memoryId));
  const urls = useNewMediaUrlCache(client);
  usePictureRequestsLive(client, memoryId);
  if (requests.isLoadingError) return <Problem error={new Error(t("listFailed"))} retry={requests.refetch} />;
  if (!requests.data?.length) return null;
  return (
    <MediaUrlCacheProvider value={urls}>
      <section aria-labelledby="picture-requests" className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <div className="grid gap-1">
          <h2 id="picture-requests" className="font-serif text-2xl">
            {t("list")}
          </h2>
          <p className="text-ink-soft">{t("listText")}</p>
        </div>
        <ul className="m-0 grid list-none gap-4 p-0">
          {requests.data.map((request) => (
            <RequestItem key={request.id} client={client} memoryId={memoryId} request={request} />
          ))}
        </ul>
      </section>
    </MediaUrlCacheProvider>
  );
}
